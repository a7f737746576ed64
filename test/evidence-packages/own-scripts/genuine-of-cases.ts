import { genuine as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that check several calls, or whose expected value does not stand beside the call. */
export const GENUINE_OF_CASES: readonly OwnScript[] = [
  one(
    "table of cases",
    "callable",
    1,
    "2 of 3 cases differ",
    sh`
node - <<'EOF'
const { stringify } = require('callable');
const cases = [[{ a: 'b' }, 'a=b'], [{ a: 'b c' }, 'a=b%20c'], [{ b: '&' }, 'b=%26']];
const bad = cases.filter(([value, want]) => stringify(value) !== want);
console.log(bad.length + ' of ' + cases.length + ' cases differ');
process.exit(bad.length > 0 ? 1 : 0);
EOF`,
  ),
  one(
    "loop of inputs, a process each",
    "textkit",
    1,
    "differs: hi-",
    sh`
failed=0
for pair in a.b=a-b hi!=hi Bye.=bye; do
  got=$(node -p "require('textkit').slug(process.argv[1])" "$(echo $pair | cut -d= -f1)")
  [ "$got" = "$(echo $pair | cut -d= -f2)" ] || { echo "differs: $got"; failed=1; }
done
exit $failed`,
  ),
  one(
    "time from a date until now",
    "textkit",
    1,
    "a year too many",
    sh`
node -e "const want = new Date().getFullYear() - 2020, got = require('textkit').age('2020-03-01'); if (got !== want) { console.log('a year too many: ' + got + ' instead of ' + want); process.exit(1) }"`,
  ),
  one(
    "data of an instance",
    "lazy",
    1,
    "cents: 4",
    sh`
node -e "const { Money } = require('lazy'); const got = new Money(1).plus(new Money(2)).cents; if (got !== 3) { console.log('cents: ' + got); process.exit(1) }"`,
  ),
  one(
    "case of a shell",
    "textkit",
    1,
    "got hi-",
    sh`
got=$(node -p "require('textkit').slug('Hi!')")
case $got in hi) exit 0;; *) echo "got $got"; exit 1;; esac`,
  ),
  one(
    "expected value that is computed",
    "callable",
    1,
    "should be a=1&a=2",
    sh`
node -e "const want = new URLSearchParams([['a', 1], ['a', 2]]).toString(); const got = require('callable').stringify({ a: [1, 2] }); if (got !== want) { console.log(got, 'should be', want); process.exit(1) }"`,
  ),
  one(
    "table of a program's arguments",
    "shellish",
    1,
    "1 differ",
    sh`
node - <<'EOF'
const { execFileSync } = require('child_process');
const cases = [[['--name', 'Bo'], 'Hello Bo!'], [['-n', 'Al'], 'Hello Al!']];
const run = words => execFileSync('node', ['node_modules/shellish/bin/greet.js', ...words], { encoding: 'utf8' }).trim();
const bad = cases.filter(([words, want]) => run(words) !== want);
console.log(bad.length + ' differ');
process.exitCode = bad.length > 0 ? 1 : 0;
EOF`,
  ),
  one(
    "several properties of one answer",
    "callable",
    1,
    "Expected values to be strictly equal",
    sh`
node - <<'EOF'
const assert = require('assert');
const got = require('callable')('a=1&b=2%203&c=x%26y');
assert.strictEqual(got.a, '1');
assert.strictEqual(got.b, '2 3');
assert.strictEqual(got.c, 'x&y');
EOF`,
  ),
  one(
    "Python: table of cases",
    "pykit",
    1,
    "2 of 3 differ",
    sh`
python3 - <<'EOF'
from pykit import slug
cases = [("Hi", "hi"), ("Bye!", "bye"), ("a b?", "a-b")]
bad = [text for text, want in cases if slug(text) != want]
print(len(bad), "of", len(cases), "differ")
raise SystemExit(1 if bad else 0)
EOF`,
  ),
  one(
    "several assertions, of which the last is not reached",
    "callable",
    1,
    "AssertionError",
    sh`
cat > query.test.cjs <<'EOF'
const assert = require('node:assert');
const parse = require('callable');
assert.strictEqual(parse('x=1').x, '1');
assert.strictEqual(parse('token=YWJj==').token, 'YWJj==');
assert.strictEqual(parse('q').q, '');
EOF
node query.test.cjs`,
  ),
  one(
    "case of a shell with an equals sign",
    "callable",
    3,
    "cut: b",
    sh`
got=$(node -e 'console.log(require("callable")("a=b=c").a)')
case $got in
  b=c) exit 0 ;;
  *) echo "cut: $got"; exit 3 ;;
esac`,
  ),
  one(
    "number of parts of a property, beside right properties",
    "callable",
    1,
    "parts: 1",
    sh`
node -e '
const query = require("callable")("a=1&b=2&key=x=y=z");
if (query.a !== "1" || query.b !== "2") throw new Error("the others are wrong");
const n = query.key.split("=").length;
console.log("parts: " + n);
if (n !== 3) process.exit(1);
'`,
  ),
  one(
    "answer that should be nothing, after one that should not",
    "textkit",
    1,
    "accepted 2019-02-30",
    sh`
cat > day.cjs <<'EOF'
const { day } = require('textkit');
for (const text of ['2019-02-28', '2019-02-30']) {
  const made = day(text);
  const exists = text.endsWith('28');
  if (exists && !made) throw new Error('rejects a good day');
  if (!exists && made) { console.log('accepted ' + text); process.exit(1); }
}
EOF
node day.cjs`,
  ),
  one(
    "error with a pattern, after a path with slashes",
    "textkit",
    1,
    "Missing expected exception",
    sh`
cat > day.cjs <<'EOF'
const assert = require('node:assert');
const { day, indent } = require('textkit');
assert.equal(indent('a/b', 0), 'a/b');
assert.throws(() => day('2019-02-30'), /No such day/);
EOF
node day.cjs`,
  ),
  one(
    "JSON text without a property, read from another process",
    "textkit",
    1,
    '["a","b"]',
    sh`
cat > worker.cjs <<'EOF'
process.stdout.write(require('textkit').json({ a: 1, b: 2 }, ['a']));
EOF
cat > main.cjs <<'EOF'
const { execFileSync } = require('node:child_process');
const keys = Object.keys(JSON.parse(execFileSync(process.execPath, ['worker.cjs'], { encoding: 'utf8' })));
console.log(JSON.stringify(keys));
if (keys.includes('b')) process.exit(1);
EOF
node main.cjs`,
  ),
  one(
    "text with parentheses that grep searches for",
    "shellish",
    1,
    "no comma",
    sh`
out=$(node_modules/.bin/greet --name 'Bo (B)')
if ! echo "$out" | grep -qF 'Hello, Bo (B)!'; then echo "no comma: $out"; exit 1; fi`,
  ),
  one(
    "time limit of a child process",
    "textkit",
    1,
    "ETIMEDOUT",
    sh`
cat > slow.cjs <<'EOF'
const { execFileSync } = require('node:child_process');
try {
  execFileSync(process.execPath, ['-e', "require('textkit').count('abc', '')"], { timeout: 1500 });
} catch (error) {
  console.log(error.code);
  process.exit(1);
}
EOF
node slow.cjs`,
  ),
];
