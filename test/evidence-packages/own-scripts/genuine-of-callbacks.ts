import { genuine as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that test how the product uses the functions and objects that they pass to it. */
export const GENUINE_OF_CALLBACKS: readonly OwnScript[] = [
  one(
    "callback that is not called for the last",
    "callbacks",
    1,
    "skips the last",
    sh`
node -e "const p = require('callbacks'); const seen = []; p.each([1, 2], one => seen.push(one)); if (seen.length !== 2) { console.log('each skips the last'); process.exit(1) }"`,
  ),
  one(
    "callback of node's kind",
    "callbacks",
    1,
    "lost the first line",
    sh`
node - <<'EOF'
const { read } = require('callbacks');
read('a\nb', (error, data) => {
  if (error) throw error;
  if (data.lines[0] !== 'a') { console.log('read lost the first line:', data.lines); process.exit(1); }
});
EOF`,
  ),
  one(
    "element that an iteration yields twice",
    "queueing",
    1,
    "occurs twice",
    sh`
node -e "const { Queue } = require('queueing'); const q = new Queue(); q.add('a').add('b'); const all = [...q]; for (const one of new Set(all)) if (all.indexOf(one) !== all.lastIndexOf(one)) { console.log(one + ' occurs twice'); process.exit(1) }"`,
  ),
  one(
    "error given to a callback",
    "callbacks",
    1,
    "BUG: none",
    sh`
node -e "const p = require('callbacks'); p.read('none', error => { if (error) { console.log('BUG: ' + error.message); process.exit(1) } })"`,
  ),
  one(
    "callback called twice",
    "callbacks",
    1,
    "called 4 times",
    sh`
node -e "const p = require('callbacks'); let n = 0; p.load(['a', 'b'], () => n++).then(() => { if (n !== 2) { console.log('called', n, 'times'); process.exit(1) } })"`,
  ),
  one(
    "listener that was taken off",
    "callbacks",
    1,
    "still called: 1",
    sh`
node -e "const b = require('callbacks').bus(); let got = 0; const count = () => { got += 1 }; b.on('a', count); b.off('a', count); b.emit('a'); const want = 0; if (got !== want) { console.log('still called: ' + got); process.exit(1) }"`,
  ),
  one(
    "second listener of an object that a factory made",
    "callbacks",
    1,
    "called: first",
    sh`
node -e "const b = require('callbacks').bus(); const got = []; b.on('a', () => got.push('first')); b.on('a', () => got.push('second')); b.emit('a'); if (got.join() !== 'first,second') { console.log('called: ' + got); process.exit(1) }"`,
  ),
  one(
    "argument of a callback",
    "callbacks",
    1,
    "line ends with a blank",
    sh`
node -e "const p = require('callbacks'); new p.Source().on('line', line => { if (line !== 'a') { console.log('line ends with a blank'); process.exit(1) } }).start(['a'])"`,
  ),
  one(
    "error event",
    "callbacks",
    1,
    "it broke",
    sh`
node -e "const p = require('callbacks'); p.createSource().on('error', e => { console.log(e.message); process.exit(1) }).fail()"`,
  ),
  one(
    "action of a program",
    "callbacks",
    1,
    "is a string",
    sh`
node -e "const p = require('callbacks'); new p.Program().option('a').action(o => { if (typeof o.a === 'string') { console.log('a is a string'); process.exit(1) } }).parse(['--a', '1'])"`,
  ),
  one(
    "options of an exported program",
    "callbacks",
    1,
    "keeps the last",
    sh`
node -e "const p = require('callbacks'); p.program.option('a').parse(['--a', '1', '--a', '2']); if (p.program.options.a !== '1') { console.log('it keeps the last one'); process.exit(1) }"`,
  ),
  one(
    "toString that is honest",
    "callbacks",
    1,
    "shown: x1",
    sh`
node -e "const p = require('callbacks'); const got = p.show({ toString: () => 'x1' }); if (got !== 'x1') { console.log('shown: ' + got); process.exit(1) }"`,
  ),
  one(
    "getter that is honest",
    "callbacks",
    1,
    "object Object",
    sh`
node -e "const p = require('callbacks'); const got = p.show({ get a() { return 1 } }); if (got !== 'a=1') { console.log(got); process.exit(1) }"`,
  ),
  one(
    "visitor that collects",
    "callbacks",
    1,
    "left: b",
    sh`
node -e "const p = require('callbacks'); const left = []; p.walk({ name: 'a', children: [{ name: 'b' }] }, { leave: n => left.push(n) }); if (left.join() !== 'a,b') { console.log('left: ' + left); process.exit(1) }"`,
  ),
  one(
    "class of the script that extends",
    "callbacks",
    1,
    "x1 is text",
    sh`
node -e "const p = require('callbacks'); class Mine extends p.Task { work(x) { return x } } if (new Mine().run() === 'x1') { console.log('x1 is text'); process.exit(1) }"`,
  ),
  one(
    "inner module",
    "callbacks",
    1,
    "blank at the end",
    sh`
node -e "const p = require('callbacks'); if (require('callbacks/lib/trim').trim(' a ') !== 'a') { console.log('blank at the end'); process.exit(1) }"`,
  ),
  one(
    "copy of the product",
    "textkit",
    1,
    "trailing dash",
    sh`
cp -r node_modules/textkit copy
node -e "if (require('./copy').slug('Hi!') !== 'hi') { console.log('trailing dash'); process.exit(1) }"`,
  ),
  one(
    "spy that is restored",
    "callbacks",
    1,
    "tidy of a: a;",
    sh`
node -e "const p = require('callbacks'); const { tidy } = p; const seen = []; p.tidy = text => { seen.push(text); return tidy(text) }; p.each(['x', 'y'], () => 0); p.tidy = tidy; const got = p.tidy('a'); if (got !== 'a') { console.log('tidy of a: ' + got); process.exit(1) }"`,
  ),
  one(
    "flag of a listener that was taken off",
    "callbacks",
    1,
    "called after off",
    sh`
node -e "
const bus = require('callbacks').bus();
let called = false;
function seen() { called = true; }
bus.on('a', seen);
bus.off('a', seen);
bus.emit('a', 'x');
if (called) { console.log('called after off'); process.exit(1); }
"`,
  ),
  one(
    "rejection that is remembered",
    "callbacks",
    1,
    "still rejected: offline",
    sh`
cat > memory.cjs <<'EOF'
const { remember } = require('callbacks');
let online = false;
const user = remember(id => online ? Promise.resolve({ id }) : Promise.reject(new Error('offline')));
user(1)
  .catch(() => { online = true; })
  .then(() => user(1))
  .then(found => console.log('user', found))
  .catch(error => { console.log('still rejected: ' + error.message); process.exit(1); });
EOF
node memory.cjs`,
  ),
];
