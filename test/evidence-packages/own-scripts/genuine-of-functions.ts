import { genuine as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that call functions of the product and test the answer, in many styles. */
export const GENUINE_OF_FUNCTIONS: readonly OwnScript[] = [
  one(
    "assert equal",
    "textkit",
    1,
    "AssertionError",
    sh`
node -e "require('assert').strictEqual(require('textkit').slug('Hi!'), 'hi')"`,
  ),
  one(
    "constant text",
    "textkit",
    1,
    "trailing dash",
    sh`
node - <<'EOF'
const { slug } = require('textkit');
if (slug('Hi!') !== 'hi') { console.log('slug leaves a trailing dash'); process.exit(1); }
EOF`,
  ),
  one(
    "queries of the terminal in the output",
    "textkit",
    1,
    "trailing dash",
    sh`
printf '\033[c\033[6n\033]11;?\033\\'
node -e "if (require('textkit').slug('Hi!') !== 'hi') { console.log('slug leaves a trailing dash'); process.exit(1) }"`,
  ),
  one(
    "node test runner",
    "textkit",
    1,
    "splits the rest off",
    sh`
cat > repro.test.js <<'EOF'
const test = require('node:test');
const assert = require('node:assert/strict');
const { chunk } = require('textkit');
test('chunk splits the rest off as well', () => { assert.deepEqual(chunk([1, 2, 3], 2), [[1, 2], [3]]); });
EOF
node --test repro.test.js`,
  ),
  one(
    "shell compare",
    "textkit",
    4,
    "BUG: got hi-",
    sh`
got=$(node -p "require('textkit').slug('Hi!')")
if [ "$got" != hi ]; then echo "BUG: got $got"; exit 4; fi`,
  ),
  one(
    "shell case",
    "textkit",
    1,
    "ends with a dash",
    sh`
case "$(node -p "require('textkit').slug('Hi!')")" in
  *-) echo 'it ends with a dash'; exit 1 ;;
esac`,
  ),
  one(
    "server at a fixed port",
    "textkit",
    1,
    "ends with a dash",
    sh`
node - <<'EOF'
const http = require('node:http');
const { slug } = require('textkit');
const server = http.createServer((_, response) => response.end(slug('Hi!')));
server.listen(21917, '127.0.0.1', async () => {
  const answer = await fetch('http://127.0.0.1:21917').then(one => one.text());
  setTimeout(() => {
    if (answer.endsWith('-')) { console.log('the answer ends with a dash: ' + answer); process.exit(1); }
    process.exit(0);
  }, 500);
});
EOF`,
  ),
  one(
    "uncaught error of the product",
    "textkit",
    1,
    "Maximum call stack size exceeded",
    sh`
node -e "require('textkit').indent('a', 6000)"`,
  ),
  one(
    "caught error",
    "textkit",
    1,
    "indent throws",
    sh`
node - <<'EOF'
const { indent } = require('textkit');
try { indent('a', 6000); } catch (error) { console.log('indent throws', error.name); process.exit(1); }
EOF`,
  ),
  one(
    "hang under timeout",
    "textkit",
    124,
    null,
    sh`
timeout 2 node -e "require('textkit').count('abc', '')"`,
  ),
  one(
    "hang told in words",
    "textkit",
    1,
    "never ends",
    sh`
timeout -s KILL 2 node -e "require('textkit').count('abc', '')"
[ "$?" -ne 137 ] || { echo 'count never ends'; exit 1; }`,
  ),
  one(
    "slow regular expression",
    "textkit",
    1,
    "takes longer than",
    sh`
node - <<'EOF'
const { spawnSync } = require('child_process');
const child = spawnSync(process.execPath, ['-e', "require('textkit').isMail('a'.repeat(40) + '!')"], { timeout: 1500 });
if (child.error) { console.log('isMail takes longer than 1500 ms'); process.exit(1); }
EOF`,
  ),
  one(
    "prototype pollution",
    "textkit",
    1,
    "polluted",
    sh`
node - <<'EOF'
const { merge } = require('textkit');
merge({}, JSON.parse('{"__proto__":{"polluted":"yes"}}'));
if ({}.polluted !== undefined) { console.error('Object.prototype is polluted'); process.exit(1); }
EOF`,
  ),
  one(
    "stack overflow",
    "textkit",
    1,
    "Maximum call stack",
    sh`
node -e "require('textkit').indent('x', 6000)"`,
  ),
  one(
    "deprecation warning",
    "textkit",
    1,
    "DEP0005",
    sh`
NODE_PENDING_DEPRECATION=1 node --throw-deprecation -e "require('textkit').bytes('x')"`,
  ),
  one(
    "array length",
    "textkit",
    1,
    "lost the rest",
    sh`
node -e "if (require('textkit').chunk([1,2,3], 2).length !== 2) { console.log('chunk lost the rest'); process.exit(1) }"`,
  ),
  one(
    "callback that is asked in the wrong order",
    "textkit",
    1,
    "expected 1",
    sh`
node -e "const got = require('textkit').first([1, 2, 3], n => n > 0); if (got !== 1) { console.log('got', got, 'expected 1'); process.exit(1) }"`,
  ),
  one(
    "function with properties",
    "callable",
    1,
    "got null",
    sh`
node -e "const p = require('callable'); const got = p.stringify({a: null}); if (got !== 'a=') { console.log('got', got.slice(2)); process.exit(1) }"`,
  ),
  one(
    "deep equality of an object",
    "callable",
    1,
    "Expected values to be strictly deep-equal",
    sh`
node -e "require('assert').deepStrictEqual(require('callable')('a=1&a=2'), { a: ['1', '2'] })"`,
  ),
  one(
    "boolean",
    "callable",
    1,
    "not a query",
    sh`
node -e "if (require('callable').isQuery('abc')) { console.log('abc is not a query'); process.exit(1) }"`,
  ),
  one(
    "one property",
    "callable",
    1,
    "keeps one value",
    sh`
node -e "const { a } = require('callable')('a=1&a=2'); if (!Array.isArray(a)) { console.log('a keeps one value'); process.exit(1) }"`,
  ),
  one(
    "import statement",
    "modern",
    1,
    "clamp: 5",
    sh`
cat > repro.mjs <<'EOF'
import { clamp } from 'modern';
const got = clamp(4, { min: 2, max: 3 });
if (got !== 3) { console.log('clamp: ' + (got + 1)); process.exit(1); }
EOF
node repro.mjs`,
  ),
  one(
    "import from standard input",
    "modern",
    1,
    "0.30000000000000004",
    sh`
node --input-type=module - <<'EOF'
import total from 'modern';
import assert from 'node:assert';
assert.equal(total([0.1, 0.2]), 0.3);
EOF`,
  ),
  one(
    "dynamic import and await",
    "modern",
    1,
    "size is 4",
    sh`
node -e "import('modern').then(async ({ load }) => { const { size } = await load('abc'); if (size !== 3) { console.log('size is', size); process.exit(1) } })"`,
  ),
  one(
    "rejection of a promise",
    "modern",
    1,
    "absolute: /x",
    sh`
node --input-type=module -e "import { load } from 'modern'; await load('/x')"`,
  ),
  one(
    "unhandled rejection",
    "modern",
    1,
    "lost in the background",
    sh`
node --input-type=module -e "import { background } from 'modern'; background(); await new Promise(r => setTimeout(r, 50))"`,
  ),
  one(
    "async iteration",
    "modern",
    1,
    "ends too early",
    sh`
node --input-type=module - <<'EOF'
import { numbers } from 'modern';
let last = 0;
for await (const one of numbers(3)) last = one;
if (last === 2) { console.log('numbers ends too early'); process.exit(1); }
EOF`,
  ),
];
