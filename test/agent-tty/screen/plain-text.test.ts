import { isDeepStrictEqual } from "node:util";
import { createScreen, type Screen } from "agent-tty/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";

interface Stretch {
  pieces: string[];
  /** The terminal's size after the pieces. */
  cols: number;
  rows: number;
}

const SIZE = { cols: 20, rows: 5 };
/** More lines than the history holds: from then on every line drops an old one. */
const FULL = "old\r\n".repeat(1_100);
/**
 * A byte order mark is not plain text, and the emulator drops it before anything sees it. In front of a text it makes the
 * emulator handle the whole write.
 */
const BYTE_ORDER_MARK = "\uFEFF";
/** Ends an escape sequence that was left open. */
const CANCEL = "\x18";

const plain = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("abc 12~\r\n")), maxLength: 60 }),
  fc.constantFrom("x".repeat(20), "y".repeat(41), "\n", "\r\n".repeat(6), `${"z".repeat(150)}\r\n`, "e"),
);
/** Everything that changes the effect of plain text: modes, margins, colours, half characters, pending wraps. */
const special = fc.constantFrom(
  ..."日本|日\x1b[D|日\b\b|e\u0301\x1b[4mu|\u0301|👩‍👩‍👧|\u0600|\b|\t|\x7f|\x1b[?7l|\x1b[?7h|\x1b[4h|\x1b[4l|\x1b[20h|\x1b[20l|\x1b(0|\x1b(B".split(
    "|",
  ),
  ..."\x1b[31m|\x1b[44m|\x1b[4:3m|\x1b[7;1m|\x1b[m|\x1b]8;;http://x.test\x07|\x1b]8;;\x07|\x1b[3b|\x0e|\x0f|\x1b)0".split(
    "|",
  ),
  ..."\x1b[2;4r|\x1b[2;5r|\x1b[1;3r|\x1b[r|\x1b[2;3H|\x1b[99;99H|\x1b[1;20H|\x1b[A|\x1b[D|\x1b[2J|\x1b[3J|\x1b[K".split(
    "|",
  ),
  ..."\x1b[2S|\x1b[T|\x1bM|\x1b[?1049h|\x1b[?1049l|\x1bc|\x1b[!p|\x1b[?2026h|\x1b[?2026l|\x1b[|\x1b".split(
    "|",
  ),
);
/** So many lines in one piece that the first ones leave the history, unless a mode or margin keeps them. */
const flood = fc
  .tuple(fc.constantFrom("f", "", "g".repeat(25), "tab\t."), fc.constantFrom("\r\n", "\n", "\r\n\r"))
  .map(([line, end]) => `${"w".repeat(9)}${end}`.repeat(100) + `${line}${end}`.repeat(1_100));
const piece = fc
  .array(fc.oneof(plain, special), { minLength: 1, maxLength: 2 })
  .map((parts) => parts.join(""));
const stretch: fc.Arbitrary<Stretch> = fc.record({
  pieces: fc.array(piece, { maxLength: 12 }),
  cols: fc.integer({ min: 5, max: 40 }),
  rows: fc.integer({ min: 2, max: 8 }),
});

const check = (before: string, stretches: readonly Stretch[]): void => {
  using screen = createScreen(SIZE);
  using emulator = createScreen(SIZE);
  for (const [index, { pieces, cols, rows }] of stretches.entries()) {
    for (const piece of [...(index === 0 ? [before] : []), ...pieces, CANCEL]) {
      screen.write(Buffer.from(piece), 1);
      emulator.write(Buffer.from(BYTE_ORDER_MARK + piece), 1);
    }
    for (const each of [screen, emulator]) each.resize(cols, rows, 1);
  }
  expect(isDeepStrictEqual(seen(screen), seen(emulator)), "the same screen").toBe(true);
};

describe("plain text", () => {
  test("plain-text printing changes the screen exactly as the emulator does (P5, A8)", () => {
    const before = fc.constantFrom("", FULL, "\x1b[?1049h");
    const rare = (...pieces: string[]): [string, Stretch[]] => ["\x1b[?1049h", [{ pieces, ...SIZE }]];
    fc.assert(fc.property(before, fc.array(stretch, { maxLength: 3 }), check), {
      numRuns: propertyRuns(200, 500),
      examples: [rare("ab\n", "\u0301"), rare("e\u0301\x1b[m", "\n".repeat(6))],
    });
  });

  test("a flood results in the same screen as with the emulator, although its first lines are not rendered (P5, A8)", () => {
    const bottom = "\x1b[99;1H";
    const flooded = fc
      .tuple(fc.constantFrom("", bottom), special, fc.constantFrom("", bottom), flood, plain, special)
      .map((pieces) => [{ pieces, ...SIZE }]);
    const at = (...pieces: string[]): [string, Stretch[]] => [FULL, [{ pieces, ...SIZE }]];
    const lines = "x\r\n".repeat(1_100);
    /** Three rows for each line, as many rows as the history holds only if the emulator wraps them. */
    const wide = (end: string): string => `above\r\n${`${"k".repeat(45)}${end}\r\n`.repeat(400)}`;
    fc.assert(fc.property(fc.constantFrom("", FULL, "\x1b[?1049h"), flooded, check), {
      numRuns: propertyRuns(40, 300),
      examples: [
        at("\x1b[1;3r\x1b[3;1H", lines),
        at("\x1b[2;5r\x1b[99;1H", lines),
        at("\x1b[1;3r\x1b[99;1H", `${"longer\r\n".repeat(9)}${lines}`),
        at("\x1b[2;5r\x1b[1;1H", `above\r\n${lines}`),
        at("\x1b[99;6H", `a\r\n${"\n".repeat(1_100)}b`),
        at("\x1b[r", `${"longer\r\n".repeat(100)}${lines}`),
        at("\x1b[r", wide("")),
        at("\x1b[?7l", wide("")),
        at("\x1b[?45h", wide("\b".repeat(44))),
        at("\x1b[r", wide(`\r${"k".repeat(45)}`).replaceAll("k\r", "\r")),
        at("\x1b)0", `\x0e\r\n${lines}q`),
        at("\x1b)0\x0e", `\x0f\r\n${lines}q`),
        at("\x1b[?45h\x1b[?7h", `\b\b\b\r\n${lines}q`),
        at("\x1b[1;1H", lines.slice(0, 3_010)),
        at("\x1b]8;;http://x.test\x07", lines),
        at("\x1b[4:3m\x1b[44m", lines, "\x1b[m"),
      ],
    });
  });
});

/** Returns the screen with everything that decides the effect of later bytes. */
function seen(screen: Screen): object {
  const shown = screen.detailedSnapshot();
  screen.releaseFrame();
  return { shown, state: screen.state() };
}
