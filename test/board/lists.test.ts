import { join } from "node:path";
import Libsql from "libsql";
import { expect, test } from "vitest";
import {
  type BatchListDocument,
  batchListSchema,
  type RunListDocument,
  runListSchema,
  type TotalsDocument,
  totalsSchema,
} from "../../src/board/index.ts";
import { selectedTriageRun, transition, type TriageRunEvent } from "../../src/runs/index.ts";
import { readChanges } from "./board-stage.ts";
import { BATCH, type HomeStage, homeStage } from "./home-stage.ts";

const DEAD_PARENT = "20250101T000000Z";

const settled = (outcome: "needs-info" | "ready-for-agent", atMs = 9): TriageRunEvent => ({
  type: "run-settled",
  end: { status: "applied", reason: "needs-triage", outcome },
  atMs,
});
const failed: TriageRunEvent = {
  type: "run-settled",
  end: {
    status: "failed",
    reason: "checkout-failed",
    outcome: null,
    error: { code: "X", message: "clone broke", remedy: "r" },
  },
  atMs: 9,
};
const cost = (usd: number): TriageRunEvent => ({
  type: "result-reported",
  result: { category: "bug", commentUrl: null, usage: { inputTokens: 1, outputTokens: 1, usd } },
});
const issue = (title: string) => ({ title, url: "https://github.test/i", waitingSinceMs: null });

async function list(stage: HomeStage, query = ""): Promise<RunListDocument> {
  const answer = await stage.get(`/api/runs${query}`);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return runListSchema.parse(await answer.json());
}

async function totals(stage: HomeStage, query = ""): Promise<TotalsDocument> {
  return totalsSchema.parse(await (await stage.get(`/api/totals${query}`)).json());
}

async function batches(stage: HomeStage, query = ""): Promise<BatchListDocument> {
  return batchListSchema.parse(await (await stage.get(`/api/batches${query}`)).json());
}

/** Records a batch whose parent cannot be alive, because no process of this boot has its number and start time. */
function recordDeadBatch({ store }: HomeStage, parent: string): void {
  store.recordBatch({ runId: DEAD_PARENT, parent, provider: "local", repos: ["o/dead"], startedAtMs: 1 });
  const key = { runId: DEAD_PARENT, repo: "o/dead", number: 1 };
  store.saveRun(transition(selectedTriageRun({ ...key, atMs: 4_000 }), waits));
}

const waits: TriageRunEvent = { type: "activity-signalled", activity: "waiting_input", atMs: 5_000 };

test("while a batch runs, the change stream updates its totals as its runs change (B1)", async () => {
  await using stage = await homeStage();
  stage.record(1, []);
  await using reader = await readChanges(stage);
  stage.record(1, [settled("needs-info")]);
  stage.record(2, []);
  for (;;) {
    const next = await reader.next();
    if (next?.event !== "batch") continue;
    const { totals: seen } = (next.data as { batch: { totals: { applied: number; live: number } } }).batch;
    if (seen.applied === 1 && seen.live === 1) break;
  }
  expect((await batches(stage)).batches[0]?.totals).toMatchObject({ live: 1, applied: 1 });
});

test("runs of a dead parent end when it was last seen, say how to reap them and wait for nobody (B1)", async () => {
  await using stage = await homeStage();
  const [living] = stage.store.batches(1);
  // The number and boot of the living parent, with a start time that no process has.
  recordDeadBatch(stage, (living?.parent ?? "").replace(/\d+$/, "1"));
  stage.record(2, []);
  const { runs } = await list(stage, `?batch=${DEAD_PARENT}`);
  expect(runs).toMatchObject([
    { parentLost: { lastSeenAtMs: 5_000, remedy: expect.stringContaining("afk-triage reap") } },
  ]);
  expect((await list(stage, `?batch=${BATCH}`)).runs).toMatchObject([{ number: 2, parentLost: null }]);
  expect(await totals(stage)).toMatchObject({ runs: 2, live: 1, waiting: 0, parentLost: 1 });
  stage.record(3, [waits]);
  expect(await totals(stage)).toMatchObject({ runs: 3, live: 2, waiting: 1, parentLost: 1 });
  expect((await batches(stage)).batches.map(({ parent }) => parent.state)).toEqual(["alive", "dead"]);
});

test("the pages of every sort order contain each run once, and the exact total (B2)", async () => {
  await using stage = await homeStage();
  for (let number = 1; number <= 25; number += 1)
    stage.record(
      number,
      number % 3 === 0 ? [cost(number / 10), settled("needs-info", 10 ** 13 + number)] : [],
    );
  for (const sort of ["started", "issue", "status", "result", "elapsed", "cost"]) {
    for (const order of ["ascending", "descending"]) {
      const seen: number[] = [];
      let next: string | null = null;
      do {
        const after: string = next === null ? "" : `&after=${encodeURIComponent(next)}`;
        const page: RunListDocument = await list(stage, `?sort=${sort}&order=${order}&limit=4${after}`);
        expect(page.total).toBe(25);
        seen.push(...page.runs.map((run) => run.number));
        ({ next } = page);
      } while (next !== null);
      expect([sort, order, seen.toSorted((a, b) => a - b)]).toEqual([
        sort,
        order,
        Array.from({ length: 25 }, (_, index) => index + 1),
      ]);
      if (sort === "started" || sort === "issue")
        expect([sort, order, seen[0]]).toEqual([sort, order, order === "ascending" ? 1 : 25]);
      if (sort === "cost" && order === "descending") expect(seen.slice(0, 2)).toEqual([24, 21]);
    }
  }
  const cursor = (values: readonly unknown[]): string =>
    Buffer.from(JSON.stringify(values)).toString("base64url");
  const foreign = [
    "after=nonsense",
    `after=${cursor(["x"])}`,
    `q=first&after=${cursor(["x"])}`,
    `after=${cursor([1, 2])}`,
    `sort=issue&after=${cursor([1, 1, 1])}`,
    `sort=issue&after=${cursor(["o/r", "1", 1])}`,
    `sort=cost&after=${cursor(["1", 1])}`,
    `sort=result&after=${cursor(["needs-info", "1"])}`,
  ];
  for (const query of foreign) {
    const refused = await stage.get(`/api/runs?${query}`);
    const { code } = ((await refused.json()) as { error?: { code: string } }).error ?? { code: null };
    expect([query, refused.status, code]).toEqual([query, 400, "REQUEST_INVALID"]);
  }
});

test("pages of runs with a derived status contain each run once (B2)", async () => {
  await using stage = await homeStage();
  for (let number = 1; number <= 9; number += 1)
    stage.record(number, [{ type: "spawn-completed", isSignalCapable: true, atMs: 1 }]);
  const seen: number[][] = [];
  let after = "";
  do {
    const page: RunListDocument = await list(stage, `?status=no_signal&limit=4${after}`);
    expect(page.total).toBe(9);
    seen.push(page.runs.map(({ number }) => number));
    after = page.next === null ? "" : `&after=${encodeURIComponent(page.next)}`;
  } while (after !== "");
  expect(seen).toEqual([[9, 8, 7, 6], [5, 4, 3, 2], [1]]);
  expect((await stage.get("/api/runs?status=no_signal&after=WzFd")).status).toBe(400);
});

test("a search finds all runs with a word that begins with the text, whether few or many words match (B2)", async () => {
  await using stage = await homeStage();
  const words = [
    "lag",
    "label",
    "labels",
    "LABORED",
    "lábel",
    ...Array.from({ length: 30 }, (_, n) => `lax${n}`),
  ];
  for (const [index, word] of words.entries()) stage.record(index + 1, [], issue(`the ${word} of it`));
  const found = async (query: string): Promise<number> =>
    (await list(stage, `?q=${encodeURIComponent(query)}`)).total;
  expect(
    await Promise.all(["lab", "LABEL", "lábe", "labels", "la", "lax", "lax7", "lay", "the lag"].map(found)),
  ).toEqual([4, 3, 3, 1, 35, 30, 1, 0, 1]);
});

test("the server counts filtered and searched runs, and totals are exact to the cent (B2)", async () => {
  await using stage = await homeStage();
  stage.record(1, [cost(0.1), settled("needs-info")], issue("first([]) throws a TypeError"));
  stage.record(2, [cost(0.2), settled("ready-for-agent")], issue("Wrong colour of buttons"));
  stage.record(3, [failed], issue('Crash "quoted" OR NOT'));
  stage.record(4, [{ type: "spawn-completed", isSignalCapable: true, atMs: 1 }], issue("first run"));
  const numbers = async (query: string): Promise<number[]> => {
    const { runs, total } = await list(stage, query);
    expect(total).toBe(runs.length);
    return runs.map(({ number }) => number);
  };
  expect(await numbers("?result=failed")).toEqual([3]);
  expect(await numbers("?live=true")).toEqual([4]);
  expect(await numbers("?status=terminated")).toEqual([3, 2, 1]);
  expect(await numbers("?status=no_signal")).toEqual([4]);
  expect(await numbers("?status=nonsense")).toEqual([]);
  expect(await numbers("?q=FIRST")).toEqual([4, 1]);
  expect(await numbers(`?q=${encodeURIComponent("typee thr")}`)).toEqual([1]);
  expect(await numbers(`?q=${encodeURIComponent('"quoted" OR')}`)).toEqual([3]);
  expect(await numbers("?q=clone")).toEqual([3]);
  expect(await numbers("?repo=o/other")).toEqual([]);
  expect(await totals(stage)).toMatchObject({
    runs: 4,
    live: 1,
    results: { "needs-info": 1, "ready-for-agent": 1, failed: 1 },
    usd: 0.3,
    usdRuns: 2,
    batches: 1,
    repos: ["o/r"],
  });
  expect(await totals(stage, "?recent=true")).toMatchObject({ runs: 1, live: 1, results: {} });
  stage.record(4, [settled("needs-info")], issue("second run"));
  expect(await numbers("?q=first")).toEqual([1]);
  expect(await totals(stage)).toMatchObject({ live: 0, results: { "needs-info": 2 } });
});

test("the pages of batches reach the oldest batch, and each batch has its own totals (B2)", async () => {
  await using stage = await homeStage();
  for (let index = 0; index < 7; index += 1) {
    const runId = `2025010${index + 1}T000000Z`;
    stage.store.recordBatch({
      runId,
      parent: "host/1/1",
      provider: "local",
      repos: ["o/r"],
      startedAtMs: index,
    });
    stage.store.saveRun(
      [settled("needs-info")].reduce(
        transition,
        selectedTriageRun({ runId, repo: "o/r", number: 1, atMs: 1 }),
      ),
    );
    stage.store.finishBatch(runId, { anything: "else" });
  }
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const page: BatchListDocument = await batches(stage, `?limit=3${next === null ? "" : `&after=${next}`}`);
    seen.push(...page.batches.map(({ runId, totals: { applied } }) => `${runId} ${applied}`));
    ({ next } = page);
  } while (next !== null);
  expect(seen).toEqual([`${BATCH} 0`, ...[7, 6, 5, 4, 3, 2, 1].map((day) => `2025010${day}T000000Z 1`)]);
});

test("a damaged row is omitted and named, and all other requests are answered (B7)", async () => {
  await using stage = await homeStage();
  stage.record(1, [settled("needs-info")]);
  stage.record(2, [settled("needs-info")]);
  stage.store.recordBatch({
    runId: DEAD_PARENT,
    parent: "host/1/1",
    provider: "local",
    repos: ["o/r"],
    startedAtMs: 1,
  });
  await using reader = await readChanges(stage);
  const connection = new Libsql(join(stage.directory, "store.sqlite"));
  connection.exec("UPDATE runs SET run_state = 'nonsense', session_id = 'changed' WHERE number = 2");
  connection.exec(`UPDATE batches SET repos = '{}' WHERE run_id = '${DEAD_PARENT}'`);
  connection.close();
  const { runs, damaged, total } = await list(stage);
  expect([runs.map(({ number }) => number), total]).toEqual([[1], 2]);
  expect(damaged).toMatchObject([
    { runId: BATCH, repo: "o/r", number: 2, problem: expect.stringContaining("run_state") },
  ]);
  const listed = await batches(stage);
  expect(listed.batches.map(({ runId }) => runId)).toEqual([BATCH]);
  expect(listed.damaged).toMatchObject([{ runId: DEAD_PARENT, number: null }]);
  expect((await stage.get("/api/statistics")).status).toBe(200);
  expect((await totals(stage)).runs).toBe(2);
  // The stream continues after the change of the damaged row.
  stage.record(3, []);
  for (;;) {
    const next = await reader.next();
    if (next === null || (next.data as { run?: { number: number } }).run?.number === 3) break;
  }
  expect(stage.failures).toEqual([]);
});

test("runs of a damaged batch, and documents that refer to a damaged run, are still shown (B7)", async () => {
  await using stage = await homeStage();
  const locked: TriageRunEvent = {
    type: "run-settled",
    end: { status: "locked", reason: "locked-by-another-parent" },
    atMs: 9,
  };
  const path = stage.record(1, [locked]);
  stage.record(2, [settled("needs-info")], issue("first"));
  stage.store.linkDuplicates({
    repo: "o/r",
    first: 1,
    second: 2,
    kind: "may-be",
    runId: BATCH,
    reporters: {},
    evidenced: [],
    titles: {},
    reasons: [],
  });
  await using reader = await readChanges(stage);
  const connection = new Libsql(join(stage.directory, "store.sqlite"));
  connection.exec("UPDATE batches SET repos = '{}'");
  connection.exec("UPDATE runs SET run_state = 'nonsense' WHERE number = 2");
  connection.close();
  expect((await list(stage)).runs).toMatchObject([{ number: 1 }]);
  for (const asked of [path, "/api/duplicates", "/api/trust"])
    expect([asked, (await stage.get(asked)).status]).toEqual([asked, 200]);
  stage.record(3, [locked]);
  for (;;) {
    const next = await reader.next();
    if (next === null || (next.data as { run?: { number: number } }).run?.number === 3) break;
  }
  expect(stage.failures).toEqual([]);
});
