import { expect, test } from "vitest";
import { decided, deaf, gone, broken, renumbered, run } from "./honest-runs.ts";

const ABOVE = "[eval]:4\nif (got !== 1) throw got; // got 2 for 1\n               ^\n";
const claim = { expect: { exitCode: 1, outputContains: "got 2 for 1" } };
const runs = (output: string): ReturnType<typeof run>[] => [
  ...Array.from({ length: 3 }, () => run("real", output)),
  { ...renumbered, output },
  gone,
  broken,
  deaf,
];

test("a claimed text that is only in the source line above an uncaught error is vacuous (V2, V3)", () => {
  expect(decided(runs(`${ABOVE}\nobject\n\nNode.js v20.20.2\n`), { claim })).toMatchObject({
    type: "vacuous",
    reason: expect.stringContaining("the line of the script"),
  });
});

test("a claimed text that is also in the error's message is shown (V2)", () => {
  expect(decided(runs(`${ABOVE}\nError: got 2 for 1\n    at [eval]:4:22\n`), { claim })).toEqual({
    type: "verified",
  });
});
