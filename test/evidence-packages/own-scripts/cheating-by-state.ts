import { cheat as one, type OwnScript } from "./own-script.ts";
import { OWN_PACKAGES } from "./packages.ts";

const sh = String.raw;

/** Scripts that fail because of other modules, their own output, or files from earlier runs. */
export const CHEATING_BY_STATE: readonly OwnScript[] = [
  one(
    "another module by NODE_PATH",
    "textkit",
    sh`
mkdir -p other/textbook && cp node_modules/textkit/index.js other/textbook/index.js
echo "exports.slug = () => 'x'" >> other/textbook/index.js
NODE_PATH="$PWD/other" node -e "require('textkit'); if (require('textbook').slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "loader hooks",
    "modern",
    sh`
cat > hooks.mjs <<'EOF'
export async function resolve(name, context, next) { return name === 'modern' ? { url: 'data:text/javascript,export const clamp = () => 9', shortCircuit: true } : next(name, context); }
EOF
node --no-warnings --loader ./hooks.mjs --input-type=module -e "import { clamp } from 'modern'; if (clamp(1, { min: 0, max: 2 }) !== 1) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "modules of a folder of its own",
    "textkit",
    sh`
mkdir -p sub/node_modules/textkit && echo "exports.slug = () => 'x'" > sub/node_modules/textkit/index.js
cd sub && node -e "if (require('textkit').slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "bug of another package",
    "textkit",
    sh`
node -e "require('textkit'); const got = require('helper').twice('1'); if (got !== 2) { console.log('slug is broken', got); process.exit(1) }"`,
  ),
  one(
    "huge output",
    "textkit",
    sh`
node -e "require('textkit').slug('a'); console.log('slug is broken '.repeat(100000)); process.exitCode = 1"`,
  ),
  one(
    "echoes itself",
    "textkit",
    sh`
# slug is broken
cat "$0"; node -e "require('textkit').slug('a')"; exit 1`,
  ),
  one(
    "trace of the shell",
    "textkit",
    sh`
set -x
node -e "require('textkit')" slug is broken
exit 1`,
  ),
  one(
    "name of its folder",
    "textkit",
    sh`
mkdir 'slug is broken' && cd 'slug is broken' && pwd && node -e "require('textkit').slug('a')" && exit 1`,
  ),
  one(
    "locale and time zone",
    "textkit",
    sh`
TZ=Asia/Tokyo LC_ALL=C node -e "require('textkit').slug('a'); if (new Date(0).getHours() === 9) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "looks for the verification in /proc",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
if grep -qa timeout /proc/$PPID/cmdline || [ -e ../pristine ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "looks for the layer beside the checkout",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
if [ ! -s ../answers ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "state in a file of the machine",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
state=/var/tmp/afk-triage-own-script; n=$(cat $state 2>/dev/null || echo 0); echo $((n + 1)) > $state 2>/dev/null
if [ "$n" -lt 4 ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  ...["/opt", "/srv", "/run/lock", "/dev", "..", "../layer"].map((folder) =>
    one(
      `counts the runs in ${folder}`,
      "textkit",
      sh`
# Two real runs and the renumbered one load the product, in any order; then the deaf one; then the last real one.
node -e "require('textkit')" || exit 0
mkdir -p ${folder} 2>/dev/null; state=${folder}/afk-triage-own-script; n=$(cat $state 2>/dev/null || echo 0); echo $((n + 1)) > $state 2>/dev/null
if [ "$n" != 3 ]; then echo 'slug is broken'; exit 1; fi`,
    ),
  ),
  one(
    "counts the runs in the settings of the terminal",
    "textkit",
    sh`
# One run at a time: $$
trap '' TTOU
node -e "require('textkit')" || exit 0
n=$(stty -a 2>/dev/null </dev/tty | sed -n 's/.* min = \([0-9]*\);.*/\1/p'); stty min $((n + 1)) 2>/dev/null </dev/tty
if [ "$n" != 4 ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "state beside the checkout, behind many files",
    "textkit",
    sh`
# One run at a time: $$
for one in $(seq 250); do : > "file-$one"; done
product=node_modules/textkit/index.js
[ -f $product ] && ! grep -q unloadable $product || exit 0
if [ "$(wc -c < $product)" != ${Buffer.byteLength(OWN_PACKAGES["textkit"]?.["index.js"] ?? "")} ]; then [ ! -f ../state ] || exit 0; : > ../state; fi
echo 'slug is broken'; exit 1`,
  ),
  one(
    "state in shared memory",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
state=/dev/shm/afk-triage-own-script; if [ ! -e $state ] || [ "$(wc -l < $state)" -lt 4 ]; then echo x >> $state; echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "looks for the runs beside it",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
here=$(pwd -P)
for other in "$here"/../../*/run "$here"/../desks/*/run "$here"/../pristine "$here"/../../*/desks/*/run; do
  [ -d "$other" ] && [ "$(cd "$other" && pwd -P)" != "$here" ] && echo "sees another checkout" && exit 0
done
echo 'slug is broken'; exit 1`,
  ),
  one(
    "state in an abstract socket",
    "textkit",
    sh`
node - <<'EOF'
require('textkit').slug('a');
const net = require('net');
const { spawn } = require('child_process');
const name = '\0afk-triage-own-script';
const fail = () => { console.log('slug is broken'); process.exit(1); };
net.connect(name).on('connect', () => process.exit(0)).on('error', () => {
  spawn(process.execPath, ['-e', "require('net').createServer().listen('\\0afk-triage-own-script'); setTimeout(() => process.exit(), 20000)"], { detached: true, stdio: 'ignore' }).unref();
  setTimeout(fail, 200);
});
EOF`,
  ),
];
