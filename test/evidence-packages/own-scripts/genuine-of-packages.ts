import { genuine as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that test the product's manifests, classes, programs and data. */
export const GENUINE_OF_PACKAGES: readonly OwnScript[] = [
  one(
    "report that a program prints only off a terminal",
    "twofold",
    1,
    "halves differ",
    sh`
[ -t 1 ] && said="a short report" || said="halves differ"
node -e "process.exit(require('twofold').round(2.5) === 3 ? 0 : 3)"
[ $? -eq 3 ] && { echo "$said"; exit 1; }
exit 0`,
  ),
  one(
    "two kinds of modules differ",
    "twofold",
    1,
    "require 2 import 3",
    sh`
cat > repro.mjs <<'EOF'
import { createRequire } from 'node:module';
import { round } from 'twofold';
const other = createRequire(import.meta.url)('twofold');
if (other.round(2.5) !== round(2.5)) { console.log('require', other.round(2.5), 'import', round(2.5)); process.exit(1); }
EOF
node repro.mjs`,
  ),
  one(
    "manifest that is not exported",
    "twofold",
    1,
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
    sh`
node -e "require('twofold/package.json')"`,
  ),
  one(
    "file that is not exported",
    "twofold",
    1,
    "helpers are hidden",
    sh`
node -e "try { require('twofold/helpers.cjs') } catch (e) { console.log('helpers are hidden', e.code); process.exit(1) }"`,
  ),
  one(
    "exported file that is not there",
    "twofold",
    1,
    "Cannot find module",
    sh`
node -e "require('twofold/extra')"`,
  ),
  one(
    "types that are not there",
    "twofold",
    1,
    "types are missing",
    sh`
types=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/twofold/package.json')).types")
[ -f "node_modules/twofold/$types" ] || { echo "types are missing: $types"; exit 1; }`,
  ),
  one(
    "package that lacks a file",
    "unpacked",
    1,
    "Cannot find module './lib/parse'",
    sh`
node -e "require('unpacked')"`,
  ),
  one(
    "class",
    "queueing",
    1,
    "first in, first out",
    sh`
node - <<'EOF'
const Queue = require('queueing');
const queue = new Queue();
queue.add('a').add('b');
if (queue.take() !== 'a') { console.log('not first in, first out'); process.exit(1); }
EOF`,
  ),
  one(
    "getter of a class",
    "queueing",
    1,
    "size 1 of an empty queue",
    sh`
node -e "const { Queue } = require('queueing'); const { size } = new Queue(); if (size !== 0) { console.log('size', size, 'of an empty queue'); process.exit(1) }"`,
  ),
  one(
    "factory and async method",
    "queueing",
    1,
    "drain lost",
    sh`
node -e "require('queueing').create(['a', 'b']).drain().then(all => { if (all.length !== 2) { console.log('drain lost one'); process.exit(1) } })"`,
  ),
  one(
    "event emitted twice",
    "queueing",
    1,
    "cleared 2 times",
    sh`
node -e "const q = new (require('queueing'))(); let n = 0; q.on('cleared', () => n++); q.clear(); if (n > 1) { console.log('cleared', n, 'times'); process.exit(1) }"`,
  ),
  one(
    "stream",
    "queueing",
    1,
    "last line is lost",
    sh`
node - <<'EOF'
const { Lines } = require('queueing');
let all = '';
const lines = new Lines();
lines.on('data', part => { all += part; });
lines.on('end', () => { if (!all.includes('b')) { console.log('the last line is lost'); process.exit(1); } });
lines.end('a\nb');
EOF`,
  ),
  one(
    "getter exports",
    "lazy",
    1,
    "+ '1.5 EUR'",
    sh`
node - 2>&1 <<'EOF'
require('assert').strictEqual(require('lazy').format(150), '1.50 EUR')
EOF`,
  ),
  one(
    "default export of compiled TypeScript",
    "lazy",
    1,
    "got 1.0 EUR",
    sh`
node --input-type=module -e "import lazy from 'lazy'; const got = lazy.default(100); if (got !== '1.00 EUR') { console.log('got', got); process.exit(1) }"`,
  ),
  one(
    "property of an answer of a method",
    "lazy",
    1,
    "a cent too much",
    sh`
node -e "const { Money } = require('lazy'); const sum = new Money(1).plus(new Money(2)); if (sum.cents !== 3) { console.log('a cent too much'); process.exit(1) }"`,
  ),
  one(
    "exit code of a program",
    "shellish",
    1,
    "exits with 0",
    sh`
node_modules/.bin/greet --nonsense; code=$?
if [ "$code" -eq 0 ]; then echo "an unknown option exits with 0"; exit 1; fi`,
  ),
  one(
    "output of a program",
    "shellish",
    1,
    "Hello undefined",
    sh`
got=$(node node_modules/shellish/bin/greet.js --name)
[ "$got" = "usage: greet --name NAME" ] || { echo "got: $got"; exit 1; }`,
  ),
  one(
    "program by npx and its standard input",
    "shellish",
    3,
    "lost the last line",
    sh`
printf 'a\nb\nc\n' | npx --offline --no-install shout > got.txt && [ -s got.txt ] || exit 70
cat > want.txt <<'END'
A
B
C
END
diff got.txt want.txt || { echo 'shout lost the last line'; exit 3; }`,
  ),
  one(
    "data",
    "codes",
    1,
    "AT is Australia",
    sh`
node -e "const c = require('codes'); if (c.AT !== 'Austria') { console.log('AT is', c.AT); process.exit(1) }"`,
  ),
  one(
    "number in data",
    "codes",
    1,
    "277",
    sh`
node -e "require('assert').equal(require('codes').numbers.DE, 276)"`,
  ),
];
