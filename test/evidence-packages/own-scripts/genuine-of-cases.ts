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
];
