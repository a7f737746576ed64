import { expect, test } from "vitest";
import { type RecordingSearchDocument, recordingSearchSchema } from "../../src/board/index.ts";
import { type WrittenEvent, writeSession } from "../agent-tty/written-log.ts";
import { type HomeStage, homeStage } from "./home-stage.ts";

async function search(
  stage: HomeStage,
  run: string,
  text: string,
  after = 0,
): Promise<RecordingSearchDocument> {
  const answer = await stage.get(`${run}/recording/search?q=${encodeURIComponent(text)}&after=${after}`);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return recordingSearchSchema.parse(await answer.json());
}

async function recorded(stage: HomeStage, output: readonly (string | Buffer)[]): Promise<string> {
  const history = output.map((text): WrittenEvent => ({ output: Buffer.from(text) }));
  const { sessionId } = await writeSession(stage.sessions, history);
  return stage.record(7, [{ type: "session-opened", sessionId }]);
}

function shown({ hits }: RecordingSearchDocument): [string, number][] {
  return hits.map(({ before, found, after, tMs }) => [`${before}[${found}]${after}`, tMs]);
}

test("a search finds lines as they were printed, without colours, and returns the time of each (B5)", async () => {
  await using stage = await homeStage();
  const run = await recorded(stage, [
    "first line\r\n",
    "an \u001b[31mErr\u001b[0mor: no such file\r\n",
    // Written in pieces, with a break in the middle of a character.
    "typed: e",
    "rr",
    Buffer.from([0x6f, 0x72, 0x20, 0xc3]),
    Buffer.from([0xa9, 0x0d, 0x0a]),
    // Text at two places of the screen counts as two lines; a move to the right by one column counts as a space.
    "\u001b[3;1Hpanel err\u001b[9;9Hor bar\u001b[4;1Hthe\u001b[Cerror",
    "\u001b]0;error in a title\u0007\r\n",
  ]);
  const found = await search(stage, run, "eRRor");
  expect(shown(found)).toEqual([
    ["an [Error]: no such file", 20],
    ["typed: [error]", 50],
    ["the [error]", 70],
  ]);
  expect([found.nextSeq, found.searchedMs]).toEqual([null, 80]);
  expect(shown(await search(stage, run, "\u00e9"))).toEqual([["typed: error [\u00e9]", 60]]);
  expect(shown(await search(stage, run, "nowhere"))).toEqual([]);
});

test("a line that is painted again is listed once (B5)", async () => {
  await using stage = await homeStage();
  const frames = Array.from({ length: 50 }, (_, n) => `\u001b[1;1Hstatus: ready\u001b[2;1Htick ${n}`);
  const run = await recorded(stage, frames);
  expect(shown(await search(stage, run, "ready"))).toEqual([["status: [ready]", 10]]);
  expect((await search(stage, run, "tick")).hits).toHaveLength(50);
});

test("a search stops at its limit of results or bytes and continues from there to the end (B5)", async () => {
  for (const limits of [
    { searchHits: 7, searchBytes: 1_000_000 },
    { searchHits: 1_000, searchBytes: 500 },
  ]) {
    await using stage = await homeStage({}, limits);
    const run = await recorded(
      stage,
      Array.from({ length: 40 }, (_, n) => `needle ${n} ${"x".repeat(50)}\r\n`),
    );
    const lines: string[] = [];
    let parts = 0;
    for (let after: number | null = 0; after !== null; parts += 1) {
      const part: RecordingSearchDocument = await search(stage, run, "needle", after);
      lines.push(...part.hits.map((hit) => hit.after.split(" ")[1] ?? ""));
      after = part.nextSeq;
    }
    expect(parts).toBeGreaterThan(4);
    expect(lines).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
  }
});

test("a search ends early when its reader has disconnected (B5)", async () => {
  await using stage = await homeStage({}, { searchBytes: 1e9 });
  const block = "no match here\r\n".repeat(2_000);
  const run = await recorded(
    stage,
    Array.from({ length: 40 }, () => block),
  );
  const gone = new AbortController();
  const key = { runId: "20260101T000000Z", repo: "o/r", number: 7 };
  expect((await search(stage, run, "needle")).nextSeq).toBeNull();
  gone.abort(new Error("gone"));
  const part = await stage.source.searchRecording(
    key,
    "triage-agent",
    { text: "needle", afterSeq: 0 },
    gone.signal,
  );
  expect(part?.nextSeq).toBeLessThan(30);
});

test("a search without a text, or in a run without a recording, is refused (B5)", async () => {
  await using stage = await homeStage();
  const run = stage.record(7, []);
  expect((await stage.get(`${run}/recording/search?q=x`)).status).toBe(404);
  expect((await stage.get(`${run}/recording/search?q=%20`)).status).toBe(400);
});
