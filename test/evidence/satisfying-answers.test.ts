import { describe, expect, test } from "vitest";
import { broken, decided, gone, real, renumbered, run } from "./honest-runs.ts";

describe("the answers that satisfy a script (V2)", () => {
  test.each([
    ["TypeError: x\n    at f (a.js:1)\n\nNode.js v20.1.0"],
    ["Traceback (most recent call last):\n  File"],
  ])("a script that succeeds because an answer made its program crash is vacuous: %s", (output) => {
    const others = [...real, renumbered, gone, broken];
    expect(decided([...others, run("deaf", output, 0)])).toMatchObject({
      type: "vacuous",
      shownIn: ["deaf"],
    });
    const thrown = run("deaf", output, 0, { answers: "throw Error" });
    expect(decided([...others, run("deaf", "got 2"), thrown])).toEqual({ type: "verified" });
    const always = others.map((one) => run(one.kind, `${output}\n${one.output}`));
    expect(decided([...always, run("deaf", output, 0)])).toEqual({ type: "verified" });
  });
});
