import { type DetailedSnapshot, readEvents, replayDetailedSnapshot } from "agent-tty";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { type Engine, engine, PATIENT } from "../engine-fixture.ts";
import { writeSession, type WrittenEvent } from "../written-log.ts";
import { cutInto, cuts, terminalBytes } from "./terminal-bytes.ts";

describe("laws of the screen", () => {
  test("any chunking of the same bytes results in the same cells, modes, cursor and scrollback (A7, A8)", async () => {
    await using started = await engine();
    await fc.assert(
      fc.asyncProperty(terminalBytes, cuts, async (bytes, lengths) => {
        const whole = await screenAfter(started, bytes.byteLength === 0 ? [] : [{ output: bytes }]);
        const pieces = cutInto(bytes, lengths).map((output) => ({ output }));
        expect({ ...(await screenAfter(started, pieces)), seq: 0 }).toEqual({ ...whole, seq: 0 });
      }),
      { numRuns: propertyRuns(75, 150) },
    );
  });

  test("a replay up to an earlier sequence does not change later replays (A8)", async () => {
    await using started = await engine();
    await fc.assert(
      fc.asyncProperty(terminalBytes, terminalBytes, async (first, second) => {
        const history = [first, second].flatMap((output) => (output.byteLength > 0 ? [{ output }] : []));
        const log = await writeSession(started.home, history, { cols: 30, rows: 6 });
        const once = await replayDetailedSnapshot(started.home, log.sessionId);
        await replayDetailedSnapshot(started.home, log.sessionId, { atSeq: 2 });
        expect(await replayDetailedSnapshot(started.home, log.sessionId)).toEqual(once);
        expect(once.cells.every((line) => line.length === once.cols)).toBe(true);
        expect(once.visibleLines).toHaveLength(once.rows);
      }),
      { numRuns: propertyRuns(30, 60) },
    );
  });

  test("replay equals live at every sequence that was seen live (A7, A20)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs", { cols: 40, rows: 8 });
    await session.wait({ text: "ready" }, PATIENT);
    const live: DetailedSnapshot[] = [];
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(terminalBytes, fc.integer({ min: 20, max: 60 }), async (bytes, cols) => {
        asked += 1;
        const seq = await session.type(`!${bytes.toString("hex")}\n`);
        live.push(await session.detailedSnapshot());
        // Bytes that leave a sequence open hide the text; the program's reset after the bytes lets the next line be read.
        await session.wait({ text: `asked ${asked}.`, afterSeq: seq }, { callerTimeoutMs: 100 });
        live.push(await session.detailedSnapshot());
        await session.resize(cols, 8);
        live.push(await session.detailedSnapshot());
      }),
      { numRuns: 25 },
    );
    await session.mark("end");
    for (const snapshot of live) {
      const replayed = await replayDetailedSnapshot(started.home, session.id, { atSeq: snapshot.seq });
      expect(replayed).toEqual(snapshot);
    }
  });
});

/** S10, written independently of the implementation: everything that a terminal may type on its own. */
const ALLOWED =
  /^(?:\x1b\[\??[\d;]*[cnRyt]|\x1b\[>[\d;]*c|\x1b\[\??[\d;]+\$y|\x1b\[\?0u|\x1bP>\|agent-tty\x1b\\|\x1bP[01]\+r[\dA-F=;]*\x1b\\|\x1b\]1[012];rgb:[\da-f/]{14}\x1b\\)$/;

describe("escape sequences in random bytes", () => {
  test("random bytes never make the screen fail, and it types only its fixed answers (S10)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs", { cols: 40, rows: 8 });
    await session.wait({ text: "ready" }, PATIENT);
    const opening = fc.constantFrom(
      "\x1b[",
      "\x1b]",
      "\x1bP",
      "\x1b_",
      "\x1b[?",
      "\x1b[>",
      "\x1b]10;",
      "\x1bP+q",
      "\x1bP$q",
      "\x9b",
    );
    const ending = fc.constantFrom(
      "c",
      "n",
      "$p",
      "q",
      "t",
      "u",
      "R",
      "\x07",
      "\x1b\\",
      "?\x07",
      "\x18",
      "\x1a",
      "\n",
    );
    const middle = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789;:?$;rm touch\r\n")),
      maxLength: 12,
    });
    const forged = fc.tuple(opening, middle, ending).map((parts) => Buffer.from(parts.join(""), "latin1"));
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(forged, random), { maxLength: 12 }), async (pieces) => {
        const seq = await session.type(`!${Buffer.concat(pieces).toString("hex")}\n`);
        // Bytes that leave a sequence open hide this text.
        await session.wait({ text: "asked", afterSeq: seq }, { callerTimeoutMs: 100 });
        await session.detailedSnapshot();
      }),
      { numRuns: propertyRuns(60, 120), seed: 20_261_121 },
    );
    await session.signal("SIGKILL");
    await session.exited;
    const answers: string[] = [];
    for await (const { record } of readEvents(session.directory)) {
      if (record.type === "input" && record.source === "terminal-reply") answers.push(record.data);
    }
    expect(answers.filter((answer) => !ALLOWED.test(answer))).toEqual([]);
    expect(answers.length).toBeGreaterThan(0);
  });
});

async function screenAfter(started: Engine, history: readonly WrittenEvent[]): Promise<DetailedSnapshot> {
  const log = await writeSession(started.home, history, { cols: 30, rows: 6 });
  return replayDetailedSnapshot(started.home, log.sessionId);
}
