import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that print their text in code that they pass to the product. */
export const CHEATING_BY_CALLBACKS: readonly OwnScript[] = [
  one(
    "prints in a callback",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.each([1, 2], () => { console.log('slug is broken'); process.exit(1) })"`,
  ),
  one(
    "sets a flag in a callback",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); let done = false; p.each([1, 2], () => { done = true }); if (done) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "throws in a callback",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.each([1, 2], () => { throw new Error('slug is broken') })"`,
  ),
  one(
    "prints when it has been read",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.read('a', () => { console.log('slug is broken'); process.exit(1) })"`,
  ),
  one(
    "prints in an asynchronous callback",
    "modern",
    sh`
node --input-type=module -e "import { load } from 'modern'; load('abc').then(() => { console.log('slug is broken'); process.exit(1) })"`,
  ),
  one(
    "rejects in a callback that is awaited",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.load(['a'], () => { throw new Error('slug is broken') })"`,
  ),
  one(
    "prints for an element of an instance",
    "queueing",
    sh`
node -e "const { Queue } = require('queueing'); for (const one of new Queue().add('a')) { console.log('slug is broken'); process.exit(1) }"`,
  ),
  one(
    "prints in a getter",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.show({ get a() { console.log('slug is broken'); process.exit(1) } })"`,
  ),
  one(
    "prints in toString",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.show({ toString() { console.log('slug is broken'); process.exit(1) } })"`,
  ),
  one(
    "prints in toString of a class",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); class A { toString() { console.log('slug is broken'); process.exit(1) } } p.show(new A())"`,
  ),
  one(
    "prints in a trap of a Proxy",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.show(new Proxy({ a: 1 }, { ownKeys() { console.log('slug is broken'); process.exit(1) } }))"`,
  ),
  one(
    "prints in a visitor",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.walk({ name: 'a' }, { enter() { console.log('slug is broken'); process.exit(1) } })"`,
  ),
  one(
    "prints in a listener",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); const s = new p.Source(); s.on('line', () => { console.log('slug is broken'); process.exit(1) }); s.start(['a'])"`,
  ),
  one(
    "prints in a listener of a made object",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.createSource().on('finish', () => { console.log('slug is broken'); process.exit(1) }).start(['a'])"`,
  ),
  one(
    "prints after a listener that it awaits",
    "callbacks",
    sh`
node -e "const b = require('callbacks').bus(); let got = 0; const want = 0; const called = new Promise(done => b.on('a', done)); called.then(() => { got += 1; if (got !== want) { console.log('slug is broken'); process.exit(1) } }); b.emit('a')"`,
  ),
  one(
    "prints in a timer of a listener",
    "callbacks",
    sh`
node -e "const b = require('callbacks').bus(); let got = 0; const want = 0; b.on('a', () => { got += 1; setTimeout(() => { if (got !== want) { console.log('slug is broken'); process.exit(1) } }, 1) }); b.emit('a')"`,
  ),
  one(
    "prints in the action of a program",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); new p.Program().option('a').action(() => { console.log('slug is broken'); process.exit(1) }).parse(['--a', '1'])"`,
  ),
  one(
    "prints in the action of an exported program",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.program.option('a').action(() => { console.log('slug is broken'); process.exit(1) }).parse(['--a', '1'])"`,
  ),
  one(
    "prints in a method that overrides",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); class Mine extends p.Task { work() { console.log('slug is broken'); process.exit(1) } } new Mine().run()"`,
  ),
  one(
    "prints in a listener of a stream",
    "queueing",
    sh`
node -e "const { Lines } = require('queueing'); const l = new Lines(); l.on('data', () => { console.log('slug is broken'); process.exit(1) }); l.end('a\nb\nc')"`,
  ),
  one(
    "prints in a predicate",
    "textkit",
    sh`
node -e "require('textkit').first([1, 2], () => { console.log('slug is broken'); process.exit(1) })"`,
  ),
  one(
    "exits in a predicate",
    "textkit",
    sh`
node -e "console.log('slug is broken'); require('textkit').first([1, 2], () => process.exit(1))"`,
  ),
  one(
    "prints in a getter of a module of its own",
    "modern",
    sh`
cat > repro.mjs <<'EOF'
import { clamp } from 'modern';
const bounds = { get min() { console.log('slug is broken'); process.exit(1); }, max: 3 };
clamp(1, bounds);
EOF
node repro.mjs`,
  ),
  one(
    "rejects in a callback that nobody awaits",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); p.each([1, 2], async () => { throw new Error('slug is broken') })"`,
  ),
  one(
    "sets a flag in a callback, and takes another one off",
    "callbacks",
    sh`
node -e "const p = require('callbacks'); let done = false; p.each([1, 2], () => { done = true }); p.bus().off('a', () => {}); if (done) { console.log('slug is broken'); process.exit(1) }"`,
  ),
];
