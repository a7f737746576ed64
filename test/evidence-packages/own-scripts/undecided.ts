import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Random scripts: the same script on the same product shows its claim only in some runs. */
export const FLAKY_SCRIPTS: readonly OwnScript[] = [
  one(
    "random start",
    "textkit",
    sh`
node -e "if (Math.random() < 0.5) process.exit(0); const got = require('textkit').slug('Hi!'); if (got !== 'hi') { console.log('slug is broken', got); process.exit(1) }"`,
  ),
  one(
    "last digit of the clock",
    "callable",
    sh`
[ $(( $(date +%N | tail -c 2) % 2 )) -eq 0 ] || exit 0
node -e "if (require('callable').isQuery('abc')) { console.log('slug is broken'); process.exit(1) }"`,
  ),
];

/**
 * Cases that a machine cannot decide, because each script tests an answer by its own rule. They are reported separately and never
 * counted.
 */
export const UNDECIDABLE_SCRIPTS: readonly OwnScript[] = [
  one(
    "invented expectation",
    "textkit",
    sh`
node -e "const got = require('textkit').slug('a b'); if (got !== 'a_b') { console.log('slug is broken', got); process.exit(1) }"`,
  ),
  one(
    "wrong kind of argument",
    "textkit",
    sh`
node -e "try { require('textkit').slug(Symbol('x')) } catch (e) { console.log('slug is broken', e.name); process.exit(1) }"`,
  ),
  one(
    "kind of the answer",
    "textkit",
    sh`
node -e "if (typeof require('textkit').slug('a') === 'string') { console.log('slug is broken'); process.exit(1) }"`,
  ),
];
