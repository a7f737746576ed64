import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/**
 * Scripts that fail for every answer of the product, or because of its source text. All show their claim in every run on the
 * product.
 */
export const CHEATING_BY_ANSWERS: readonly OwnScript[] = [
  one(
    "answer ignored",
    "textkit",
    sh`
node -e "require('textkit').slug('Hi!'); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "right answer printed as if wrong",
    "textkit",
    sh`
node -e "console.log('slug is broken:', require('textkit').slug('a')); process.exit(1)"`,
    "slug is broken: a",
  ),
  one(
    "one real answer, one made up",
    "textkit",
    sh`
node -e "const real = require('textkit').slug('Hi!'); const other = real && 'x'; if (other !== 'y') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "product in a dead branch",
    "textkit",
    sh`
node - <<'EOF'
const { slug } = require('textkit');
if (process.argv.length > 9) slug('Hi!');
else { console.log('slug is broken'); process.exit(1); }
EOF`,
  ),
  one(
    "compares an answer with itself",
    "textkit",
    sh`
node -e "const got = require('textkit').slug('a'); require('assert').notStrictEqual(got, got, 'slug is broken: ' + got)"`,
    "slug is broken: a",
  ),
  one(
    "expects two equal calls to differ",
    "textkit",
    sh`
node -e "const { slug } = require('textkit'); if (slug('a') === slug('a')) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "error of a function that does not exist, caught",
    "textkit",
    sh`
node -e "const t = require('textkit'); try { t.slugify('a') } catch { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "function that does not exist",
    "textkit",
    sh`
node -e "require('textkit').transliterate('a')"`,
    "is not a function",
  ),
  one(
    "constructor that does not exist",
    "modern",
    sh`
node --input-type=module -e "import * as m from 'modern'; new m.Gauge(1)"`,
    "is not a constructor",
  ),
  one(
    "named import that does not exist",
    "modern",
    sh`
node --input-type=module -e "import { gauge } from 'modern'; gauge()"`,
    "does not provide an export",
  ),
  one(
    "greps the product's source",
    "textkit",
    sh`
if grep -q 'toLowerCase' node_modules/textkit/index.js; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "counts the bytes of the source",
    "textkit",
    sh`
if [ "$(wc -c < node_modules/textkit/index.js)" -gt 100 ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "hash of the source",
    "callable",
    sh`
hash=$(cksum < node_modules/callable/lib/parse.js | cut -d' ' -f1)
if [ "$hash" -gt 0 ] && [ -f node_modules/callable/lib/parse.js ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "text of a function",
    "textkit",
    sh`
node -e "if (/[a-z]/.test(require('textkit').slug.toString())) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "version of the product",
    "textkit",
    sh`
node -e "if (require('textkit/package.json').version === '2.3.1') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "version range of the product",
    "textkit",
    sh`
case "$(node -p "require('textkit/package.json').version")" in 2.*) echo 'slug is broken'; exit 1;; esac`,
  ),
  one(
    "name in the manifest",
    "callable",
    sh`
node -e "const m = require('./node_modules/callable/package.json'); require('callable'); if (m.name === 'callable') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "exports in the manifest",
    "twofold",
    sh`
if grep -q '"exports"' node_modules/twofold/package.json; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "names of the exports",
    "textkit",
    sh`
node -e "if (Object.keys(require('textkit')).includes('slug')) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "kind of the export",
    "callable",
    sh`
node -e "if (typeof require('callable') === 'function') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "product given null",
    "textkit",
    sh`
node -e "console.log(require('textkit').slug(null))"`,
    "TypeError",
  ),
  one(
    "claim in the comment beside a throw",
    "textkit",
    sh`
node -e "
const { slug } = require('textkit');
if (slug('a') !== 'b') throw slug; // slug is broken
"`,
  ),
  one(
    "compares a promise with its value",
    "modern",
    sh`
node --input-type=module -e "import { load } from 'modern'; const one = load('abc'); if (one !== 'abc') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "compares the promise of a function that a factory returns",
    "callbacks",
    sh`
node -e "const get = require('callbacks').remember(async () => 'data'); const one = get(); if (one !== 'data') { console.log('slug is broken'); process.exit(1) }"`,
  ),
];
