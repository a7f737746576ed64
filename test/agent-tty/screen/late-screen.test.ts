import {
  createLateScreen,
  createScreen,
  createVirtualClock,
  type Screen,
  SharedEmulator,
} from "agent-tty/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { cutInto, cuts, terminalBytes } from "../laws/terminal-bytes.ts";

const SIZE = { cols: 30, rows: 6 };
/** An emulator that was created to read the cells of a screen is dropped after this time. */
const REST_MS = 1_000;

/** Creates a late screen that counts the emulators it has now and has had in total. */
function lateScreen(onReply: (reply: string) => void = () => undefined) {
  const clock = createVirtualClock();
  const emulators = { alive: 0, made: 0 };
  const screen = createLateScreen({ ...SIZE, onReply }, clock, (options) => {
    const emulator = createScreen(options);
    const dispose = emulator[Symbol.dispose].bind(emulator);
    emulators.alive += 1;
    emulators.made += 1;
    return Object.assign(emulator, {
      [Symbol.dispose]: () => {
        emulators.alive -= 1;
        dispose();
      },
    });
  });
  return { screen, clock, emulators };
}

type Step = "look" | "rest" | "resize" | null;
const steps = fc.array(fc.constantFrom<Step>("look", "rest", "resize", null), { maxLength: 60 });
/** Output that a late screen keeps without an emulator. */
const plainBytes = fc
  .array(fc.constantFrom("text", "\r\n", "\t", "\x1b[31m", "\x1b[0m", "\x1b[K", "日本", "é", "\b"), {
    maxLength: 60,
  })
  .map((pieces) => Buffer.from(pieces.join("")));

describe("a late screen", () => {
  test("a late emulator shows and answers the same as one that existed from the start (A8, P11)", async () => {
    const outputs = fc.oneof(
      terminalBytes,
      fc.tuple(plainBytes, terminalBytes).map((both) => Buffer.concat(both)),
    );
    await fc.assert(
      fc.asyncProperty(outputs, cuts, steps, async (bytes, lengths, looks) => {
        const [given, wanted]: [string[], string[]] = [[], []];
        const { screen, clock } = lateScreen((reply) => given.push(reply));
        const early = createScreen({ ...SIZE, onReply: (reply) => wanted.push(reply) });
        for (const [index, piece] of cutInto(bytes, lengths).entries()) {
          for (const one of [screen, early]) one.write(piece, index * 2);
          expect(given).toEqual(wanted);
          const step = looks[index] ?? null;
          if (step === "look") expect(screen.snapshot()).toEqual(early.snapshot());
          if (step === "rest") {
            screen.settle();
            await clock.advance(REST_MS);
          }
          if (step === "resize") for (const one of [screen, early]) one.resize(20 + index, 6, index * 2 + 1);
          expect(screen.frameSeq).toBe(early.frameSeq);
        }
        expect(shown(screen)).toEqual(shown(early));
      }),
      { numRuns: propertyRuns(150, 600) },
    );
  });

  test("late screens with little plain output are read with one emulator, and each shows what its own would (A8, P11)", () => {
    const counted = { made: 0 };
    const shared = new SharedEmulator((options) => {
      counted.made += 1;
      return createScreen(options);
    });
    const own = (): never => {
      throw new Error("an emulator of its own was created");
    };
    type Turn = { on: number; bytes: Buffer; cols: number | null; isRead: boolean };
    const turns = fc.array(
      fc.record<Turn>({
        on: fc.nat(2),
        // Also the first bytes of a character, and a character that joins the one before it.
        bytes: fc.oneof(plainBytes, fc.constantFrom(Buffer.from([0xe6, 0x97]), Buffer.from("\u0301\u200d"))),
        cols: fc.option(fc.integer({ min: 20, max: 60 })),
        isRead: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(turns, (all) => {
        const sizes = [SIZE, SIZE, { cols: 40, rows: 9 }];
        const late = sizes.map((size) => createLateScreen(size, createVirtualClock(), own, shared));
        const early = sizes.map((size) => createScreen(size));
        for (const [index, { on, bytes, cols, isRead }] of all.entries()) {
          for (const one of [late[on], early[on]]) {
            one?.write(bytes, index * 2);
            if (cols !== null) one?.resize(cols, 6, index * 2 + 1);
          }
          if (isRead) expect(late[on]?.snapshot()).toEqual(early[on]?.snapshot());
        }
        for (const [on, one] of late.entries()) expect(one.snapshot()).toEqual(early[on]?.snapshot());
      }),
      { numRuns: propertyRuns(100, 600) },
    );
    expect(counted.made).toBe(1);
  });

  test("a late screen with little plain output has no emulator until its cells are read, and drops it one second after the last read (P11)", async () => {
    const { screen, clock, emulators } = lateScreen();
    screen.write(Buffer.from("$ make\r\n\x1b[32mdone\x1b[0m\r\n"), 1);
    screen.resize(40, 6, 2);
    expect(emulators).toEqual({ alive: 0, made: 0 });
    expect(screen.detailedSnapshot().visibleLines.slice(0, 2)).toEqual(["$ make", "done"]);
    await clock.advance(REST_MS / 2);
    expect(screen.detailedSnapshot().seq).toBe(2);
    await clock.advance(REST_MS - 1);
    expect(emulators).toEqual({ alive: 1, made: 1 });
    await clock.advance(1);
    expect(emulators).toEqual({ alive: 0, made: 1 });
    screen.write(Buffer.from("more"), 3);
    expect(screen.detailedSnapshot().visibleLines.slice(0, 3)).toEqual(["$ make", "done", "more"]);
    screen[Symbol.dispose]();
    expect(emulators).toEqual({ alive: 0, made: 2 });
  });

  test.each([
    ["a question", "\x1b[6n"],
    ["a mode", "\x1b[?2004h"],
    ["the beginning of a sequence", "\x1b["],
    ["an 8-bit control character", "\u009b"],
    ["the first half of an 8-bit control character", Buffer.from([0xc2])],
    ["a request for the answerback", "\x05"],
    ["much output", "line\r\n".repeat(3_000)],
  ])("a late screen keeps its emulator from %s on (A8)", async (_, output) => {
    const { screen, clock, emulators } = lateScreen();
    screen.write(Buffer.from("plain"), 1);
    screen.write(Buffer.from(output as string), 2);
    expect(emulators).toEqual({ alive: 1, made: 1 });
    screen.snapshot();
    await clock.advance(REST_MS);
    expect(emulators).toEqual({ alive: 1, made: 1 });
  });
});

function shown(screen: Screen): unknown {
  const { isBracketedPaste, isApplicationCursor, mouseReporting } = screen;
  return { isBracketedPaste, isApplicationCursor, mouseReporting, ...screen.detailedSnapshot() };
}
