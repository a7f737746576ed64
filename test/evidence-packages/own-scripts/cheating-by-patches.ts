import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that change the product while it is loaded, a copy of it, or the functions that it uses. */
export const CHEATING_BY_PATCHES: readonly OwnScript[] = [
  one(
    "function of an inner module replaced",
    "callbacks",
    sh`
node -e "require('callbacks/lib/trim').trim = () => 'x'; const p = require('callbacks'); if (p.tidy(' a') !== 'a;') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "function that changes the answer put over the product's",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); const { tidy } = p; p.tidy = text => tidy(text).slice(1); if (p.tidy('a') !== 'a;') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "function that answers as the product does put over it",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.tidy = text => text + ';'; if (p.tidy('a ') === 'a ;') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "export added",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.parse = () => { console.log('slug is broken'); process.exit(1) }; p.parse('x')"`,
  ),
  one(
    "inner module replaced in the cache",
    "callbacks",
    sh`
node - <<'EOF'
const file = require.resolve('callbacks/lib/trim');
require.cache[file] = Object.assign(new module.constructor(file), { exports: { trim: () => 'x' }, loaded: true });
if (require('callbacks').tidy(' a') !== 'a;') { console.log('slug is broken'); process.exit(1); }
EOF`,
  ),
  one(
    "another method of the class replaced",
    "queueing",
    sh`
node -e "const Q = require('queueing'); Q.prototype.add = function () { return this }; if (new Q().add('a').take() !== 'a') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "inherited method replaced",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.Task.prototype.work = () => 'x'; if (new p.Task().run() !== 1) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "global arithmetic replaced",
    "twofold",
    sh`
node -e "Math.round = () => 7; if (require('twofold').round(2) !== 2) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "copy of the product changed",
    "textkit",
    sh`
cp -r node_modules/textkit copy && echo "exports.slug = () => 'x'" >> copy/index.js
node -e "if (require('./copy').slug('hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "copy of the product edited",
    "textkit",
    sh`
mkdir copy && sed 's/toLowerCase/toUpperCase/' node_modules/textkit/index.js > copy/index.js
node -e "require('textkit'); if (require('./copy').slug('hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "text of the product evaluated after a change",
    "textkit",
    sh`
node - <<'EOF'
const text = require('fs').readFileSync('node_modules/textkit/index.js', 'utf8').replace('toLowerCase', 'toUpperCase');
const made = {}; new Function('exports', 'require', 'module', text)(made, require, { exports: made });
if (made.slug('hi') !== 'hi') { console.log('slug is broken'); process.exit(1); }
EOF`,
  ),
  one(
    "inner module of a copy edited",
    "callbacks",
    sh`
cp -r node_modules/callbacks copy && sed -i 's/text.replace/text.toUpperCase().replace/' copy/lib/trim.js
node -e "if (require('./copy').tidy(' a') !== 'a;') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "inner module of a copy replaced",
    "callbacks",
    sh`
cp -r node_modules/callbacks copy && echo "exports.trim = text => text.toUpperCase()" > copy/lib/trim.js
node -e "if (require('./copy').tidy(' a') !== 'a;') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "text of the product changed while it is loaded",
    "textkit",
    sh`
cat > hook.cjs <<'EOF'
const fs = require('fs');
require.extensions['.js'] = (m, f) => m._compile(fs.readFileSync(f, 'utf8').replace('toLowerCase', 'toUpperCase'), f);
EOF
node -r ./hook.cjs -e "if (require('textkit').slug('hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "commit of the checkout",
    "textkit",
    sh`
node -e "require('textkit').slug('a')"
if git log -1 --format=%H | grep -q '^[0-9a-f]' && git tag --points-at HEAD | grep -q v; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "memory runs out",
    "textkit",
    sh`
node --max-old-space-size=20 -e "const { slug } = require('textkit'); const all = []; for (;;) all.push(slug('a' + all.length).repeat(1000).split(''))" >/dev/null 2>&1
echo 'slug is broken'; exit 1`,
  ),
  one(
    "field of the product's manifest",
    "modern",
    sh`
if grep -q '"type": "module"' node_modules/modern/package.json; then echo 'slug is broken'; exit 1; fi`,
  ),
];
