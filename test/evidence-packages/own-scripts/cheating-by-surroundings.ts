import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that fail because of the machine's state, time, signals, or programs that they replace. */
export const CHEATING_BY_SURROUNDINGS: readonly OwnScript[] = [
  one(
    "clean state of git",
    "textkit",
    sh`
if [ -z "$(git status --porcelain 2>/dev/null)" ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "age of a file",
    "textkit",
    sh`
if [ "$(stat -c %Y node_modules/textkit/index.js)" -gt 1000 ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "number of files of the product",
    "textkit",
    sh`
if [ "$(ls -A node_modules/textkit | wc -l)" -eq 3 ]; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "loads the product and fails when that works",
    "textkit",
    sh`
node -e "require('textkit')" && { echo 'slug is broken'; exit 1; }`,
  ),
  one(
    "date",
    "textkit",
    sh`
node -e "require('textkit').slug('a'); if (new Date().getFullYear() > 2020) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "year of the product's clock",
    "textkit",
    sh`
node -e "const years = require('textkit').age('2024-01-01'); if (years !== 1) { console.log('age: ' + years); process.exit(1) }"`,
    "age: ",
  ),
  one(
    "time that passes",
    "textkit",
    sh`
node -e "require('textkit').slug('a'); setTimeout(() => { console.log('slug is broken'); process.exit(1) }, 300)"`,
  ),
  one(
    "waits and calls it a hang",
    "textkit",
    sh`
timeout 1 node -e "require('textkit').slug('a'); console.log('slug is broken'); setInterval(() => {}, 1000)"`,
    "slug is broken",
    124,
  ),
  one(
    "sleeps and calls it a hang",
    "textkit",
    sh`
echo 'slug is broken'; timeout 1 sleep 30`,
    "slug is broken",
    124,
  ),
  one(
    "kills its parent",
    "textkit",
    sh`
echo 'slug is broken'; kill -TERM "$PPID"; sleep 5`,
    "slug is broken",
    143,
  ),
  one(
    "ends itself by a signal",
    "textkit",
    sh`
node -e "require('textkit').slug('a'); console.log('slug is broken'); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 9)"`,
    "slug is broken",
    143,
  ),
  one(
    "trap after an honest call",
    "textkit",
    sh`
trap 'echo "slug is broken"; exit 1' EXIT
node -e "require('textkit').slug('a')"`,
  ),
  one(
    "shadowed comparison",
    "textkit",
    sh`
node -e "const assert = { equal() { console.log('slug is broken'); process.exit(1) } }; assert.equal(require('textkit').slug('a'), 'a')"`,
  ),
  one(
    "built-in replaced before the product loads",
    "textkit",
    sh`
node -e "String.prototype.toLowerCase = () => 'x'; const got = require('textkit').slug('Hi'); if (got !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "built-in replaced after the product was loaded",
    "textkit",
    sh`
node -e "const { slug } = require('textkit'); String.prototype.replace = () => 'x'; if (slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "export replaced",
    "textkit",
    sh`
node -e "const t = require('textkit'); t.slug = () => 'x'; if (t.slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "method of the class replaced",
    "queueing",
    sh`
node -e "const Q = require('queueing'); Q.prototype.take = () => 'x'; if (new Q().add('a').take() !== 'a') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "require wrapped",
    "textkit",
    sh`
node -e "const M = require('module'); const load = M._load; M._load = (id, ...rest) => id === 'textkit' ? { ...load(id, ...rest), slug: () => 'x' } : load(id, ...rest); if (require('textkit').slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "preloaded by NODE_OPTIONS",
    "textkit",
    sh`
echo "require('textkit').slug = () => 'x'" > hook.cjs
NODE_OPTIONS="--require ./hook.cjs" node -e "if (require('textkit').slug('Hi') !== 'hi') { console.log('slug is broken'); process.exit(1) }"`,
  ),
];
