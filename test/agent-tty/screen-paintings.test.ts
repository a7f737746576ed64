import { paintSession, replayDetailedSnapshot } from "agent-tty";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../support/property-runs.ts";
import { engine } from "./engine-fixture.ts";
import { cutInto, cuts, terminalBytes } from "./laws/terminal-bytes.ts";
import { writeSession, type WrittenEvent } from "./written-log.ts";

const SIZE = { cols: 40, rows: 10 };

test("a screen painted at any point continues exactly like the full stream (A7, O22)", async () => {
  await using started = await engine();
  const { home } = started;
  const shown = async (sessionId: string): Promise<unknown> => {
    const { visibleLines, cursor, modes } = await replayDetailedSnapshot(home, sessionId);
    // A painting intentionally leaves out these modes: mouse and focus reports, and an update that never ended.
    const { mouse: _mouse, focusEvents: _focus, synchronizedOutput: _synchronized, ...kept } = modes;
    return { visibleLines, row: cursor.row, col: cursor.col, visible: cursor.visible, modes: kept };
  };
  const check = async (
    bytes: Buffer,
    lengths: readonly number[],
    at: number,
    scrolledLines: number,
  ): Promise<void> => {
    const history = cutInto(bytes, lengths).map((output): WrittenEvent => ({ output }));
    const { sessionId } = await writeSession(home, history, SIZE);
    const { seq, paint } = await paintSession(home, sessionId, {
      atSeq: 1 + (at % (history.length + 1)),
      scrolledLines,
    });
    const continued = [{ output: Buffer.from(paint) }, ...history.slice(Math.max(0, seq - 1))];
    expect(await shown((await writeSession(home, continued, SIZE)).sessionId)).toEqual(
      await shown(sessionId),
    );
  };
  await fc.assert(fc.asyncProperty(terminalBytes, cuts, fc.nat(), fc.nat(SIZE.rows), check), {
    numRuns: propertyRuns(30, 60),
  });
});

test("a painting contains the requested number of scrolled-off lines, even under the alternate screen (B5)", async () => {
  await using started = await engine();
  const { home } = started;
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
  for (const after of ["", "\x1b[?1049h"]) {
    const output = Buffer.from(`${lines.join("\r\n")}${after}`);
    const { sessionId } = await writeSession(home, [{ output }], SIZE);
    const { paint } = await paintSession(home, sessionId, { scrolledLines: 7 });
    const painted = await writeSession(home, [{ output: Buffer.from(`${paint}\x1b[?1049l`) }], SIZE);
    const { scrollbackLines } = await replayDetailedSnapshot(home, painted.sessionId);
    expect(scrollbackLines).toEqual(lines.slice(-SIZE.rows - 7, -SIZE.rows));
  }
});
