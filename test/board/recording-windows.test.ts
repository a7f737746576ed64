import { expect, test } from "vitest";
import { replaySession } from "agent-tty";
import { type RecordingDocument, recordingSchema } from "../../src/board/index.ts";
import { type WrittenEvent, writeSession } from "../agent-tty/written-log.ts";
import { type HomeStage, homeStage } from "./home-stage.ts";

const SIZE = { cols: 40, rows: 10 };
const LIMITS = { recordingCharacters: 50_000, windowCharacters: 20_000, windowFrames: 60 };
const LINES = 1_000;

function flood(): WrittenEvent[] {
  return Array.from({ length: LINES }, (_, number) => ({
    output: Buffer.from(`line ${number} \u001b[3${number % 8}m${"x".repeat(300)}\u001b[0m\r\n`),
  }));
}

async function part(stage: HomeStage, run: string, query = ""): Promise<RecordingDocument> {
  const answer = await stage.get(`${run}/recording${query}`);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return recordingSchema.parse(await answer.json());
}

/** Plays the frames of a part up to a time into a separate Session, and returns the lines of its screen. */
async function linesAt(stage: HomeStage, { frames }: RecordingDocument, tMs: number): Promise<string[]> {
  const history = frames
    .filter(({ t }) => t <= tMs)
    .flatMap((frame): WrittenEvent[] => {
      if (frame.type === "output") return [{ output: Buffer.from(frame.data, "base64") }];
      return frame.type === "reset" && frame.paint !== ""
        ? [{ output: Buffer.from(frame.paint, "base64") }]
        : [];
    });
  const { sessionId } = await writeSession(stage.sessions, history, SIZE);
  return textOf((await replaySession(stage.sessions, sessionId)).visibleLines);
}

function textOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.trimEnd());
}

test("the parts of a long recording follow each other without a gap from its start to its end (B5)", async () => {
  await using stage = await homeStage({}, LIMITS);
  const { sessionId } = await writeSession(stage.sessions, flood(), SIZE);
  const run = stage.record(7, [{ type: "session-opened", sessionId }]);
  const outputs = new Map<number, string>();
  let atMs: number | null = 0;
  let parts = 0;
  while (atMs !== null) {
    const found: RecordingDocument = await part(stage, run, `?at=${Math.floor(atMs)}`);
    expect(found.window.startMs).toBeLessThanOrEqual(atMs);
    expect(JSON.stringify(found.frames).length).toBeLessThan(100_000);
    for (const frame of found.frames) if (frame.type === "output") outputs.set(frame.seq, frame.data);
    parts += 1;
    atMs = found.window.isEnd ? null : found.window.endMs;
  }
  expect(parts).toBeGreaterThan(5);
  const written = [...outputs]
    .toSorted(([one], [other]) => one - other)
    .map(([, data]) => Buffer.from(data, "base64"));
  // The later part begins with a painted screen, which shows the output between the two parts.
  expect(written.length).toBeGreaterThan(LINES - 2 * parts);
});

test("for any time of a long recording, a part of bounded size shows the screen at that time (B5)", async () => {
  await using stage = await homeStage({}, LIMITS);
  const { sessionId } = await writeSession(stage.sessions, flood(), SIZE);
  const run = stage.record(7, [{ type: "session-opened", sessionId }]);
  const last = await part(stage, run);
  expect([last.isTruncated, last.window.isEnd]).toEqual([true, true]);
  expect(await linesAt(stage, last, last.durationMs)).toEqual(
    textOf((await replaySession(stage.sessions, sessionId)).visibleLines),
  );
  for (const share of [0, 0.1, 0.5, 0.93, 1]) {
    const atMs = Math.floor(last.durationMs * share);
    const found = await part(stage, run, `?at=${atMs}`);
    expect(found.durationMs).toBe(last.durationMs);
    const seq = found.frames.findLast(({ t }) => t <= atMs)?.seq ?? 1;
    const shown = await replaySession(stage.sessions, sessionId, { atSeq: seq });
    expect([share, await linesAt(stage, found, atMs)]).toEqual([share, textOf(shown.visibleLines)]);
  }
});

test("a short recording is one complete document (B5)", async () => {
  await using stage = await homeStage();
  const { sessionId } = await writeSession(stage.sessions, [{ output: Buffer.from("hello") }], SIZE);
  const run = stage.record(7, [{ type: "session-opened", sessionId }]);
  const whole = await part(stage, run);
  expect([whole.isTruncated, whole.window]).toEqual([
    false,
    { startMs: 0, endMs: whole.durationMs, isEnd: true },
  ]);
});
