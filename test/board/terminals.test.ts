import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSession, type Home, replaySession } from "agent-tty";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { recordingSchema, type TerminalFrame, terminalFrameSchema } from "../../src/board/index.ts";
import { cutInto, cuts, terminalBytes } from "../agent-tty/laws/terminal-bytes.ts";
import { type WrittenEvent, type WrittenLog, writeSession } from "../agent-tty/written-log.ts";
import { poll } from "../support/batch/poll.ts";
import { boardStage, readTerminal } from "./board-stage.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";
import { type HomeStage, homeStage } from "./home-stage.ts";

const SIZE = { cols: 40, rows: 10 };

/**
 * Returns the screen of a reader of these frames: they are played into a separate Session, which is then replayed.
 */
async function screenOf(home: Home, frames: readonly TerminalFrame[]): Promise<unknown> {
  const begin = frames.findLastIndex(({ type }) => type === "reset");
  const first = frames[begin];
  if (first?.type !== "reset") throw new Error("nothing says where to begin");
  const events = frames.slice(begin + 1).flatMap((frame): WrittenEvent[] => {
    if (frame.type === "output") return [{ output: Buffer.from(frame.data, "base64") }];
    return frame.type === "resize" ? [{ type: "resize", cols: frame.cols, rows: frame.rows }] : [];
  });
  const paint = Buffer.from(first.paint, "base64");
  const history = paint.byteLength === 0 ? events : [{ output: paint }, ...events];
  return shownOf(home, (await writeSession(home, history, { cols: first.cols, rows: first.rows })).sessionId);
}

async function shownOf(home: Home, sessionId: string): Promise<unknown> {
  const { visibleLines, cursor, cols, rows } = await replaySession(home, sessionId);
  return { visibleLines, cursor: { row: cursor.row, col: cursor.col }, cols, rows };
}

const resize = fc.record({
  type: fc.constant("resize"),
  cols: fc.integer({ min: 5, max: 60 }),
  rows: fc.integer({ min: 2, max: 12 }),
});
const streams = fc
  .tuple(terminalBytes, cuts, fc.array(resize, { maxLength: 2 }))
  .map(([bytes, lengths, resizes]): WrittenEvent[] =>
    cutInto(bytes, lengths)
      .map((output): WrittenEvent => ({ output }))
      .concat(resizes),
  );

function runOf(stage: HomeStage, sessionId: string): string {
  return stage.record(7, [{ type: "session-opened", sessionId }]);
}

test("a reader that disconnects after any frame and resumes sees the same screen as the Session's replay (O22)", async () => {
  await using stage = await homeStage();
  await fc.assert(
    fc.asyncProperty(streams, fc.nat(), async (history, cut) => {
      const { sessionId } = await writeSession(stage.sessions, history, SIZE);
      const run = runOf(stage, sessionId);
      using first = readTerminal(stage.board, `${run}/terminal`);
      expect(await first.closed).toMatchObject({ code: 1000 });
      const before = first.frames.slice(0, 1 + (cut % first.frames.length));
      const afterSeq = before.at(-1)?.seq ?? 0;
      using again = readTerminal(stage.board, `${run}/terminal?afterSeq=${afterSeq}`);
      await again.closed;
      const frames = [...before, ...again.frames];
      expect(frames).toEqual(first.frames);
      for (const frame of frames) terminalFrameSchema.parse(frame);
      const shown = await shownOf(stage.sessions, sessionId);
      expect(await screenOf(stage.sessions, frames)).toEqual(shown);
      const recording = recordingSchema.parse(await (await stage.get(`${run}/recording`)).json());
      expect(recording).toMatchObject({ frames: first.frames, isTruncated: false });
    }),
    { numRuns: 25 },
  );
});

const LIMITS = {
  wholeBytes: 50_000,
  behindBytes: 300_000,
  recordingCharacters: 200_000,
  recordingFrames: 100,
};

/** Returns 600 kB of output in small reads, more than a reader is sent and more than fits into a recording's document. */
function flood(): WrittenEvent[] {
  return Array.from({ length: 1_000 }, (_, number) => ({
    output: Buffer.from(`${String(number).repeat(4)} ${"x".repeat(580)}\r\n`),
  }));
}

test("a reader that is too far behind gets a reset, and the beginning of a long recording is cut off (O22)", async () => {
  await using stage = await homeStage({}, LIMITS);
  const { sessionId } = await writeSession(
    stage.sessions,
    [...flood(), { output: Buffer.from("the end") }],
    SIZE,
  );
  const shown = await shownOf(stage.sessions, sessionId);
  const run = runOf(stage, sessionId);
  // The first reader has seen only the beginning, the second reader nothing.
  for (const query of ["?afterSeq=1", ""]) {
    using reader = readTerminal(stage.board, `${run}/terminal${query}`);
    expect(await reader.closed).toMatchObject({ code: 1000 });
    expect(reader.frames[0]?.type).toBe("reset");
    expect(reader.frames.length).toBeLessThan(50);
    expect(await screenOf(stage.sessions, reader.frames)).toEqual(shown);
  }
  const recording = recordingSchema.parse(await (await stage.get(`${run}/recording`)).json());
  expect([recording.isTruncated, recording.frames[0]?.type]).toEqual([true, "reset"]);
  expect(recording.frames.length).toBeLessThan(200);
  expect(recording.frames.map(({ seq }) => seq)).toEqual(
    Array.from(recording.frames, (_, index) => (recording.frames[0]?.seq ?? 0) + index),
  );
  expect(await screenOf(stage.sessions, recording.frames)).toEqual(shown);
});

test("for an Event Log in several files, the contents of all files count towards how far a reader is behind (O22, S11)", async () => {
  await using stage = await homeStage({}, LIMITS);
  const log = await writeSession(stage.sessions, [...flood(), { output: Buffer.from("the end") }], SIZE);
  await splitLog(log, 200);
  const shown = await shownOf(stage.sessions, log.sessionId);
  const run = runOf(stage, log.sessionId);
  // The first reader is more than half a megabyte behind, the second less than the limit.
  using behind = readTerminal(stage.board, `${run}/terminal?afterSeq=1`);
  expect(await behind.closed).toMatchObject({ code: 1000 });
  expect(behind.frames[0]?.type).toBe("reset");
  expect(behind.frames.length).toBeLessThan(50);
  expect(await screenOf(stage.sessions, behind.frames)).toEqual(shown);
  using near = readTerminal(stage.board, `${run}/terminal?afterSeq=900`);
  await near.closed;
  expect(near.frames[0]).toMatchObject({ type: "output", seq: 901 });
});

/** Splits the log like a log that has reached the limit of its head: the events after a sequence are in separate files. */
async function splitLog({ directory, events, output }: WrittenLog, seq: number): Promise<void> {
  const lines = events.split(/(?<=\n)/);
  const headEvents = lines.slice(0, seq).join("");
  const next = JSON.parse(lines[seq] ?? "") as { offset: number };
  const name = `1-${Buffer.byteLength(headEvents)}-${next.offset}`;
  await writeFile(join(directory, `output.${name}.bin`), output.subarray(next.offset));
  await writeFile(join(directory, `events.${name}.jsonl`), lines.slice(seq).join(""));
  await writeFile(join(directory, "output.bin"), output.subarray(0, next.offset));
  await writeFile(join(directory, "events.jsonl"), headEvents);
}

test("a reader of an earlier Session of the run starts again from the beginning of the present Session (O13, O22)", async () => {
  await using stage = await homeStage();
  const earlier = await writeSession(stage.sessions, flood(), SIZE);
  const present = await writeSession(stage.sessions, [{ output: Buffer.from("again") }], SIZE);
  const run = runOf(stage, present.sessionId);
  const framesAfter = async (query: string): Promise<string[]> => {
    using reader = readTerminal(stage.board, `${run}/terminal?${query}`);
    await reader.closed;
    return reader.frames.map(({ type, seq }) => `${seq} ${type}`);
  };
  const all = await framesAfter("");
  expect(all.slice(0, 2)).toEqual(["1 reset", "2 output"]);
  expect(await framesAfter(`afterSeq=1&session=${earlier.sessionId}`)).toEqual(all);
  expect(await framesAfter(`afterSeq=1&session=${present.sessionId}`)).toEqual(all.slice(1));
});

test("a reader that takes no frames causes no backlog, because its frames are not read (O22)", async () => {
  const source = fakeSource();
  let taken = 0;
  const data = Buffer.alloc(192 * 1024).toString("base64");
  source.frames = async function* () {
    yield { type: "reset", seq: 1, t: 0, cols: 80, rows: 24, paint: "" };
    for (taken = 1; ; taken += 1) yield { type: "output", seq: 1 + taken, t: taken, data };
  };
  await using stage = await boardStage(source);
  using reader = readTerminal(stage.board, `/api/runs/${encodeURIComponent(RUN_ID)}/terminal`);
  await reader.until(({ type }) => type === "output");
  reader.socket.pause();
  let before = -1;
  // Waits until the buffers between the two sockets are full.
  await poll("the sender to stand still", async () => {
    await stage.get("/api/health");
    const isStill = taken === before;
    before = taken;
    return isStill;
  });
  expect(taken).toBeLessThan(200);
  reader.socket.resume();
  await reader.until(({ seq }) => seq > before + 5);
});

test("a living terminal is followed, and typed input is published only as its length (L10, O22)", async () => {
  await using stage = await homeStage();
  const env = { PATH: process.env["PATH"] ?? "", AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "" };
  const session = await createSession(stage.sessions, {
    command: ["sh"],
    cwd: stage.directory,
    env,
    ...SIZE,
  });
  const run = runOf(stage, session.id);
  const document = (await (await stage.get(run)).json()) as { terminals: unknown };
  expect(document.terminals).toEqual([{ name: "triage-agent", sessionId: session.id, isLive: true }]);
  using reader = readTerminal(stage.board, `${run}/terminal`);
  await reader.until(({ type }) => type === "reset");
  await session.type("echo hunter$((1+1))\r");
  const text = (): string =>
    Buffer.concat(
      reader.frames.flatMap((frame) => (frame.type === "output" ? [Buffer.from(frame.data, "base64")] : [])),
    ).toString("utf8");
  await reader.until(() => text().includes("hunter2"));
  await session.resize(60, 12);
  await reader.until(({ type }) => type === "resize");
  await session.destroy();
  expect(await reader.closed).toMatchObject({ code: 1000 });
  const inputs = reader.frames.filter(({ type }) => type === "input");
  expect(inputs.length).toBeGreaterThan(0);
  for (const frame of inputs)
    expect(Object.keys(frame).toSorted()).toEqual(["length", "seq", "source", "t", "type"]);
  expect(reader.frames.at(-1)).toMatchObject({ type: "exit" });
});

test("the WebSocket's close code and reason report a missing terminal and too many readers (O22)", async () => {
  await using stage = await homeStage({ limits: { terminalReaders: 1 } });
  const { sessionId } = await writeSession(stage.sessions, [{ output: Buffer.from("x") }], SIZE);
  const run = runOf(stage, sessionId);
  using missing = readTerminal(stage.board, `${run}/terminal?terminal=verification`);
  expect(await missing.closed).toEqual({ code: 1008, reason: "this Triage Run has no such terminal" });
  const env = { PATH: process.env["PATH"] ?? "", AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "" };
  const living = await createSession(stage.sessions, { command: ["cat"], cwd: stage.directory, env });
  const other = stage.record(8, [{ type: "session-opened", sessionId: living.id }]);
  using reader = readTerminal(stage.board, `${other}/terminal`);
  await reader.until(({ type }) => type === "reset");
  using tooMany = readTerminal(stage.board, `${run}/terminal`);
  expect(await tooMany.closed).toMatchObject({ code: 1013 });
  await stage.board[Symbol.asyncDispose]();
  expect(await reader.closed).toMatchObject({ code: 1001 });
  await living.destroy();
});
