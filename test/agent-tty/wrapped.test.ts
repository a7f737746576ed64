import { expect, test } from "vitest";
import { wrapped } from "../../src/agent-tty/cli/wrapped.ts";

test("prose for a terminal is broken between words, and a word that is too long stays whole (A14)", () => {
  const text = "ok  pty: a program ran\nno Session in /a/path/that/is/longer. Run it";
  const terminal = { isTTY: true, columns: 14 };
  expect(wrapped(text, terminal).split("\n")).toEqual([
    "ok  pty: a",
    "program ran",
    "no Session in",
    "/a/path/that/is/longer.",
    "Run it",
  ]);
  expect(wrapped(text, { isTTY: false, columns: 14 })).toBe(text);
  expect(wrapped(text, { isTTY: true, columns: 0 })).toBe(text);
});
