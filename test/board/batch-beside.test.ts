import { createHash } from "node:crypto";
import { readdir, readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  batchListSchema,
  boardRunId,
  changeEventSchema,
  type RunDocument,
  runDocumentSchema,
  type RunListDocument,
  runListSchema,
  type RunRowDocument,
  statisticsSchema,
} from "../../src/board/index.ts";
import { openBoardSource } from "../../src/board/source/index.ts";
import { runPhases } from "../../src/runs/index.ts";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { type BoardStage, boardStage, readChanges, readTerminal } from "./board-stage.ts";

// Several real programs per test, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** Starts a board in this process over the home that the program's batches write to. */
async function boardOf(stage: ProgramStage): Promise<BoardStage> {
  const source = openBoardSource(stage.home, { clock: systemClock, ids: systemIds(systemClock) });
  const board = await boardStage(source);
  return {
    ...board,
    [Symbol.asyncDispose]: async () => {
      await board[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}

async function runsOf(board: BoardStage, query = ""): Promise<RunListDocument> {
  return runListSchema.parse(await (await board.get(`/api/runs${query}`)).json());
}

async function runOf(board: BoardStage, id: string): Promise<RunDocument> {
  return runDocumentSchema.parse(await (await board.get(`/api/runs/${encodeURIComponent(id)}`)).json());
}

test("a board shows the runs of a batch live, across a restart of the board, and their evidence at the end (O21, L8)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest", "proposing needs-info");
  const seen = new Map<string, RunRowDocument[]>();
  let last = "0";
  const read = async (board: BoardStage, isEnough: () => boolean): Promise<void> => {
    await using reader = await readChanges(board, "/api/changes?after=0", { "Last-Event-ID": last });
    while (!isEnough()) {
      const next = await reader.next();
      if (next === null) throw new Error("the stream ended");
      last = next.id ?? last;
      const event = changeEventSchema.parse(next.data);
      if (event.type === "run") seen.set(event.run.id, [...(seen.get(event.run.id) ?? []), event.run]);
    }
  };
  const phases = (): string[] => [...seen.values()].flatMap((rows) => rows.map(({ phase }) => phase));
  const running = stage.start(["run"]);
  {
    // The board starts on a home without a store.
    await using board = await boardOf(stage);
    await read(board, () => phases().includes("triaging"));
  }
  await using board = await boardOf(stage);
  await read(board, () => [...seen.values()].filter((rows) => rows.at(-1)?.phase === "settled").length === 2);
  expect((await running).exitCode).toBe(0);
  for (const rows of seen.values()) {
    const told = rows.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
    // A change contains the row at the time of publishing, so phases that have ended by then are skipped, and no phase comes
    // back.
    expect(told).toEqual(runPhases.filter((phase) => told.includes(phase)));
    expect(told).toEqual(expect.arrayContaining(["triaging", "settled"]));
    expect(rows.at(-1)).toMatchObject({
      indicator: { symbol: "✅", name: "completed" },
      end: { status: "applied" },
    });
  }
  const { runs } = await runsOf(board);
  const honest = runs.find(({ number }) => number === 1);
  expect(honest).toMatchObject({
    title: "honest",
    category: "bug",
    issueUrl: expect.stringContaining("/issues/1") as string,
    end: { outcome: "ready-for-agent", reason: "needs-triage" },
    policy: ["reproduction-verified"],
  });
  const document = await runOf(board, honest?.id ?? "");
  expect(document).toMatchObject({
    policy: ["reproduction-verified"],
    verification: { verdict: "reproduced", runs: [{ matched: true }, { matched: true }] },
    outcome: { outcome: "ready-for-agent", category: "bug" },
    coderWorkspace: { state: "absent" },
    audit: { problem: null },
  });
  // The issue is shown as the Triage Agent received it (B10).
  const issue = await board.get(`/api/runs/${encodeURIComponent(document.run.id)}/issue`);
  expect(await issue.json()).toMatchObject({
    issue: { title: "honest", labels: ["needs-triage"], comments: [], omittedComments: 0 },
  });
  // The Triage Agent's terminal is the first (L10).
  expect(document.terminals.map(({ name, isLive }) => [name, isLive])).toEqual([
    ["triage-agent", false],
    ["verification", false],
  ]);
  expect(document.comment).toMatchObject({
    markdown: (await stage.comments(1))[0],
    url: expect.any(String) as string,
  });
  expect(document.audit.entries.map(({ text }) => text)).toContain("publish-comment");
  expect(document.history.at(-1)?.phase).toBe("settled");
  for (const { kind, sizeBytes } of document.artifacts) {
    const file = await board.get(`/api/runs/${encodeURIComponent(document.run.id)}/artifacts/${kind}`);
    expect([kind, file.status, (await file.arrayBuffer()).byteLength]).toEqual([kind, 200, sizeBytes]);
  }
  expect(document.artifacts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["recording", "outcome", "verification", "comment"]),
  );
  using terminal = readTerminal(board.board, `/api/runs/${encodeURIComponent(document.run.id)}/terminal`);
  await terminal.closed;
  expect(terminal.frames.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["reset", "output", "exit"]),
  );
  const { batches } = batchListSchema.parse(await (await board.get("/api/batches")).json());
  expect(batches).toMatchObject([
    { totals: { live: 0, applied: 2 }, finishedAtMs: expect.any(Number) as number },
  ]);
  const statistics = statisticsSchema.parse(await (await board.get("/api/statistics?days=1")).json());
  expect(statistics.outcomes.map(({ counts }) => counts)).toEqual([
    { "ready-for-agent": 1, "needs-info": 1 },
  ]);
  expect(statistics.queueAges.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  await checkArtifactIsNoLink(stage, board, document.run.id);
});

/** Checks that a symbolic link in a run's directory is not followed (S17). */
async function checkArtifactIsNoLink(stage: ProgramStage, board: BoardStage, id: string): Promise<void> {
  const [runId = ""] = id.split(":");
  const directory = join(stage.home, "runs", runId, "octo__widgets-1");
  await rename(join(directory, "comment.md"), join(directory, "elsewhere"));
  await symlink(join(stage.home, "store.sqlite"), join(directory, "comment.md"));
  expect((await board.get(`/api/runs/${encodeURIComponent(id)}/artifacts/comment`)).status).toBe(404);
  expect((await runOf(board, id)).comment).toMatchObject({ markdown: "", blocks: [] });
}

/**
 * Returns every file of the home with its contents, except the shared memory that the board's own reads of the WAL
 * database may touch.
 */
async function contents(home: string): Promise<Record<string, string>> {
  const names = await readdir(home, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !/store\.sqlite-(?:wal|shm)$/.test(entry.name));
  const hashes = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [
      path,
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

test("reading all documents of a run changes neither the disk nor the batch (C17, C13)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("honest");
  expect((await stage.run(["run"])).exitCode).toBe(0);
  const before = await contents(stage.home);
  {
    await using board = await boardOf(stage);
    const { runs } = await runsOf(board);
    const path = `/api/runs/${encodeURIComponent(runs[0]?.id ?? "")}`;
    for (const what of [
      "",
      "/state",
      "/states",
      "/states?terminal=verification",
      "/recording",
      "/recording?terminal=verification",
    ])
      expect([what, (await board.get(`${path}${what}`)).status]).toEqual([what, 200]);
    for (const what of ["/api/batches", "/api/statistics", "/api/runs?live=true"]) await board.get(what);
    using terminal = readTerminal(board.board, `${path}/terminal`);
    await terminal.closed;
    await using _reader = await readChanges(board, "/api/changes?after=0");
  }
  expect(await contents(stage.home)).toEqual(before);
});

test("a run in progress is shown live, and closing the board does not affect it (C13, L9)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("waiting");
  const running = stage.start(["run"]);
  {
    await using board = await boardOf(stage);
    const row = await poll("the run at work", async () =>
      (await runsOf(board, "?live=true")).runs.find(({ indicator }) => indicator.name === "running"),
    );
    expect(row).toMatchObject({
      displayStatus: "working",
      indicator: { symbol: "🟢" },
      phase: "triaging",
      settledAtMs: null,
    });
    const { terminals } = await poll("its terminal", async () => {
      const found = await runOf(board, row.id);
      return found.terminals.length > 0 ? found : null;
    });
    expect(terminals).toMatchObject([{ name: "triage-agent", isLive: true }]);
    using terminal = readTerminal(board.board, `/api/runs/${encodeURIComponent(row.id)}/terminal`);
    await terminal.until(({ type }) => type === "output");
    const { batches } = batchListSchema.parse(await (await board.get("/api/batches")).json());
    expect(batches).toMatchObject([{ parent: { state: "alive" }, totals: { live: 1 }, finishedAtMs: null }]);
    expect(boardRunId({ runId: row.runId, repo: row.repo, number: row.number })).toBe(row.id);
  }
  const live = JSON.parse((await stage.run(["status"])).stdout) as { runs: { displayStatus: string }[] };
  expect(live.runs).toMatchObject([{ displayStatus: "working" }]);
  running.kill("SIGTERM");
  expect((await running).exitCode).toBe(143);
});
