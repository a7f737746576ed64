import { createRequire } from "node:module";
import type { Terminal } from "@xterm/headless";
import { limitSequences } from "agent-tty/limits";
import { createLateScreen, createScreen, createVirtualClock } from "agent-tty/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { terminalBytes } from "../laws/terminal-bytes.ts";

const SIZE = { cols: 12, rows: 5 };
const CELLS = SIZE.cols * SIZE.rows;
const LARGEST = 2 ** 31 - 1;

type Handler = (sequence: { params: Int32Array }) => boolean;
/** Internals of the pinned emulator. */
interface Core {
  writeSync(bytes: Uint8Array | string): void;
  _inputHandler: { _parser: { _csiHandlers: Record<string, Handler[]> } };
}

function emulator({ isLimited }: { isLimited: boolean }) {
  const xterm = createRequire(import.meta.url)("@xterm/headless") as typeof import("@xterm/headless");
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: 20, allowProposedApi: true, logLevel: "off" });
  if (isLimited) limitSequences(terminal);
  return { terminal, core: (terminal as unknown as { _core: Core })._core };
}

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 90 }),
  fc.constantFrom(LARGEST, LARGEST + 1, 10 ** 20),
  fc.integer({ min: 0, max: LARGEST }),
);
const control = (number: fc.Arbitrary<number>) =>
  fc.record({
    prefix: fc.constantFrom("", "", "", "?", ">", "<", "="),
    parameters: fc.array(number, { maxLength: 4 }),
    intermediates: fc.constantFrom("", "", "", " ", "'", "!", '"', "$", "* "),
    final: fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
type Control = { prefix: string; parameters: number[]; intermediates: string; final: string };
const written = ({ prefix, parameters, intermediates, final }: Control): string =>
  `\x1b[${prefix}${parameters.join(";")}${intermediates}${final}`;

/** The sequences whose first number is a number of repetitions in the emulator, with the limit of it. */
const LIMITS: Record<string, number> = Object.fromEntries([
  ...Array.from("LMST", (final) => [final, SIZE.rows]),
  ...Array.from("IZ", (final) => [final, SIZE.cols]),
  ["b", CELLS],
]);

describe("limits of escape sequences", () => {
  test("no handler of the emulator is told to repeat anything more often than the screen has room (A8, S11)", () => {
    fc.assert(
      fc.property(terminalBytes, control(numbers), (before, sequence) => {
        const { core } = emulator({ isLimited: true });
        core.writeSync(Buffer.concat([before, Buffer.from("\x18日e")]));
        const received: [string, number][] = [];
        for (const [id, handlers] of Object.entries(core._inputHandler._parser._csiHandlers)) {
          // The first handler is the emulator's own, which runs last.
          handlers[0] = ({ params }) => {
            received.push([String.fromCharCode(Number(id)), params[0] ?? 0]);
            return true;
          };
        }
        core.writeSync(written(sequence));
        const tooMany = received.filter(([final, count]) => count > (LIMITS[final] ?? LARGEST));
        expect(tooMany).toEqual([]);
      }),
      { numRuns: propertyRuns(300, 5_000) },
    );
  });

  test("a limited sequence shows the same as in the emulator without limits, which does the work in full (A8)", () => {
    const numbers = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2_000 }));
    fc.assert(
      fc.property(terminalBytes, control(numbers), (before, sequence) => {
        const isRepeat = sequence.final === "b" && (sequence.parameters[0] ?? 0) > CELLS;
        const shown = [true, false].map((isLimited) => {
          const { terminal, core } = emulator({ isLimited });
          const text = `${written(sequence)}end`;
          try {
            core.writeSync(Buffer.concat([before, Buffer.from(`\x18日e${text}`)]));
          } catch {
            return null;
          }
          return picture(terminal);
        });
        fc.pre(!isRepeat && shown[1] !== null);
        expect(shown[0]).toEqual(shown[1]);
      }),
      { numRuns: propertyRuns(200, 4_000) },
    );
  });

  test("output with the largest numbers and the longest clusters is shown at once, in every kind of screen (A8, S11)", () => {
    const clock = createVirtualClock();
    for (const final of [
      "L",
      "M",
      "S",
      "T",
      "I",
      "Z",
      "b",
      " @",
      " A",
      "'}",
      "'~",
      "@",
      "P",
      "X",
      "A",
      "B",
    ]) {
      const output = Buffer.from(`\x1b[He${"\u0301".repeat(1_000)}\x1b[${LARGEST}${final}\x1b[Hend`);
      using late = createLateScreen(SIZE, clock);
      using screen = createScreen(SIZE);
      for (const each of [late, screen]) {
        each.write(output, 1);
        expect([final, each.snapshot().visibleLines[0]?.slice(0, 3)]).toEqual([final, "end"]);
      }
    }
  });

  test("erasing up to the end of the screen erases all of a new screen instead of failing (A8)", () => {
    for (const erase of ["\x1b[1J", "\x1b[?1J"]) {
      using screen = createScreen(SIZE);
      screen.write(Buffer.from(`one\r\ntwo\x1b[99;99Hx${erase}\x1b[H`), 1);
      expect(screen.snapshot().visibleLines.join("")).toBe("");
      screen.write(Buffer.from("next"), 2);
      expect(screen.snapshot().visibleLines[0]).toBe("next");
    }
  });

  test("a sequence whose handler fails is dropped, and the output behind it is shown (A8, S11)", () => {
    const fail = (): never => {
      throw new Error("a handler failed");
    };
    const { terminal, core } = emulator({ isLimited: false });
    terminal.parser.registerCsiHandler({ final: "y" }, fail);
    terminal.parser.registerEscHandler({ final: "y" }, fail);
    terminal.parser.registerOscHandler(99, fail);
    limitSequences(terminal);
    core.writeSync("1\x1b[y2\x1by3");
    core.writeSync("\x1b]99;x\x07lost");
    core.writeSync("4");
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe("1234");
  });

  test("a title is cut at 512 characters and a link of more than 2,083 is dropped, also in a checkpoint (A8, P6)", () => {
    using screen = createScreen(SIZE);
    const title = `${"t".repeat(511)}😀${"t".repeat(100_000)}`;
    const link = `\x1b]8;;http://x.test/${"l".repeat(100_000)}\x07link\x1b]8;;\x07`;
    screen.write(Buffer.from(`\x1b]0;${title}\x07\x1b]8;;http://x.test\x07a${link}b`), 1);
    const { cells, title: shown } = screen.detailedSnapshot();
    expect(shown).toBe("t".repeat(511));
    const links = cells[0]?.slice(0, 6).map((cell) => JSON.stringify(cell).includes("http"));
    expect(links).toEqual([true, false, false, false, false, false]);
    expect(JSON.stringify(screen.state()).length).toBeLessThan(100_000);
  });

  test("a cell keeps 128 code units of combining marks, and the next character is not affected (A8, S11)", () => {
    using screen = createScreen(SIZE);
    screen.write(Buffer.from(`e${"\u0301".repeat(100_000)}f\re\u0301\u0302${"\x1b[Cn\u0301".repeat(2)}`), 1);
    const cells = screen.detailedSnapshot().cells[0]?.map(({ char }) => char) ?? [];
    expect(cells.slice(0, 5)).toEqual(["e\u0301\u0302", "f", "n\u0301", " ", "n\u0301"]);
    screen.write(Buffer.from(`\ra${"\u0301".repeat(100_000)}\x1b[${LARGEST}b`), 2);
    expect(screen.snapshot().visibleLines.map((line) => line.length)).toEqual([2 * 128 + 5, 0, 0, 0, 0]);
  });

  test("a palette of very many colours and links on one cell cost no more than their length (A8, S11)", () => {
    const { terminal, core } = emulator({ isLimited: true });
    core.writeSync(`\x1b]4;${"0;".repeat(100_000)}\x07palette\r`);
    core.writeSync("\x1b]8;;http://x.test\x07x\x1b]8;;\x07\r".repeat(20_000));
    const markers = (terminal as unknown as { _core: { _bufferService: { buffer: { markers: [] } } } })._core
      ._bufferService.buffer.markers;
    expect(markers.length).toBeLessThanOrEqual(10_000);
    core.writeSync(`${"\n".repeat(30)}\x1b]8;;http://x.test\x07again`);
    expect(markers).toHaveLength(1);
  });
});

function picture(terminal: Terminal): unknown {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    const colors = Array.from({ length: SIZE.cols }, (_, column) => line?.getCell(column)?.getBgColor());
    return [line?.isWrapped, line?.translateToString(false), colors.join()];
  });
  return { lines, x: active.cursorX, y: active.cursorY, type: active.type, modes: { ...terminal.modes } };
}
