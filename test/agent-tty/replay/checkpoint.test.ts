import { rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DetailedSnapshot, replayDetailedSnapshot, replaySession } from "agent-tty";
import { writeCheckpoint } from "agent-tty/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { engine } from "../engine-fixture.ts";
import { type WrittenEvent, writeSession } from "../written-log.ts";

const sequences = fc.constantFrom(
  ..."\r\n|\n|\r|\b|\t|\x1b[2J|\x1b[H|\x1b[31;1m|\x1b[48;2;1;2;3m|\x1b[4:3;58;5;9m|\x1b[m|\x1b[?1049h|\x1b[?1049l".split(
    "|",
  ),
  ..."\x1b[?47h|\x1b[?47l|\x1b7|\x1b8|\x1b[3g|\x1bH|\x1b[2;4r|\x1b[r|\x1b[?6h|\x1b[?6l|\x1b(0|\x1b)0|\x0e|\x0f|\x1b(B".split(
    "|",
  ),
  ..."\x1b[4h|\x1b[4l|\x1b[?7l|\x1b[?7h|\x1b[3b|\x1b[5;5H|\x1b[99C|\x1b[3L|\x1b[2M|\x1b[2P|\x1b[2@|\x1b[1K|\x1bM|\x1bc".split(
    "|",
  ),
  ..."\x1b]0;title\x07|\x1b[22t|\x1b[23t|\x1b[?25l|\x1b[?25h|\x1b[4 q|\x1b[?1h|\x1b=|\x1b[?2004h|\x1b[?1000h|\x1b[?1006h".split(
    "|",
  ),
  ..."\x1b[20h|\x1b[?1004h|\x1b[!p|\x1b]8;;http://a\x07|\x1b]8;id=x;http://b\x07|\x1b]8;;\x07|\x1b[?2026h|\x1b[?2026l|\x1b[".split(
    "|",
  ),
);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("日本語", "é🙂👨‍👩‍👧", "x".repeat(90)),
);
const output = fc
  .array(fc.oneof({ weight: 3, arbitrary: sequences }, text), { minLength: 1, maxLength: 12 })
  .map((parts): WrittenEvent => ({ output: Buffer.from(parts.join("")) }))
  .filter((event) => (event as { output: Buffer }).output.byteLength > 0);
const resize = fc.record({
  type: fc.constant("resize"),
  cols: fc.integer({ min: 5, max: 60 }),
  rows: fc.integer({ min: 2, max: 12 }),
});
const event = fc.oneof({ weight: 5, arbitrary: output }, resize);

describe("checkpoints", () => {
  test("replay from a checkpoint equals replay from the start at every later sequence (P6, A7)", async () => {
    await using started = await engine();
    const { home } = started;
    let taken = 0;
    const check = async (history: WrittenEvent[], at: number): Promise<void> => {
      const log = await writeSession(home, history);
      const checkpointSeq = 1 + (at % (history.length + 1));
      const all = (): Promise<DetailedSnapshot[]> =>
        Promise.all(
          Array.from({ length: history.length + 2 - checkpointSeq }, (_, index) =>
            replayDetailedSnapshot(home, log.sessionId, { atSeq: checkpointSeq + index }),
          ),
        );
      const fromStart = await all();
      if (await writeCheckpoint(home, log.sessionId, checkpointSeq)) taken += 1;
      expect(await all()).toEqual(fromStart);
      await rm(log.directory, { recursive: true });
    };
    const histories = fc.array(event, { minLength: 1, maxLength: 10 });
    await fc.assert(fc.asyncProperty(histories, fc.nat(), check), {
      numRuns: propertyRuns(50, 150),
      seed: 7,
    });
    expect(taken).toBeGreaterThan(propertyRuns(33, 100));
  });

  test("replay uses the latest usable checkpoint and ignores incomplete and damaged ones, and those that point behind the log (P6)", async () => {
    await using started = await engine();
    const { home } = started;
    const history = Array.from({ length: 6 }, (_, line) => ({ output: Buffer.from(`line ${line}\r\n`) }));
    const log = await writeSession(home, history);
    const path = join(log.directory, "checkpoints.bin");
    for (const seq of [3, 6]) await writeCheckpoint(home, log.sessionId, seq);
    const { size } = await stat(path);
    // Bytes before the checkpoint are not read, so changed bytes there show up only in a replay from the start.
    const check = async (seen: string): Promise<void> => {
      expect((await replaySession(home, log.sessionId)).visibleLines[0]).toBe(seen);
    };
    await writeFile(join(log.directory, "output.bin"), log.output.toString().replace("line 0", "EARLY!"));
    await check("line 0");
    expect((await replaySession(home, log.sessionId, { atSeq: 2 })).visibleLines[0]).toBe("EARLY!");
    await truncate(path, size - 1);
    await check("line 0");
    await truncate(path, 40);
    await check("EARLY!");
    await writeFile(path, "no checkpoint at all, and longer than its header");
    await check("EARLY!");
    await rm(path);
    await writeCheckpoint(home, log.sessionId, 6);
    await truncate(join(log.directory, "events.jsonl"), log.events.length / 2);
    await check("EARLY!");
  });

  test("a Session with much output has checkpoints, and its replay is the same with and without them (P6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    // A busy machine may take longer for it than a run's time limit.
    await session.type("seq 1400000; printf '\\033[31mred'; exit\n");
    await session.exited;
    await session[Symbol.asyncDispose]();
    expect((await stat(join(session.directory, "checkpoints.bin"))).size).toBeGreaterThan(1000);
    const quick = await replayDetailedSnapshot(started.home, session.id);
    await rm(join(session.directory, "checkpoints.bin"));
    expect(quick).toEqual(await replayDetailedSnapshot(started.home, session.id));
  });
});
