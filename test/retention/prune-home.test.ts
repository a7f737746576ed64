import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemIds } from "agent-tty/kit";
import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import { expect, test, vi } from "vitest";
import type { GithubReader, Issue, IssueLookup, IssueRef } from "../../src/github/index.ts";
import { openProgramHome, type ProgramHome } from "../../src/home/index.ts";
import { pruneHome, type PruneResult, type RetentionLimits } from "../../src/retention/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NOW_MS = Date.UTC(2026, 10, 26);
const DAY_MS = 86_400_000;
const LIMITS: RetentionLimits = { ageMs: 90 * DAY_MS, sizeBytes: null };

interface Stage extends AsyncDisposable {
  home: ProgramHome;
  clock: VirtualClock;
  /** A file of the home that nobody has touched for so many days. */
  put(path: string, days: number, text?: string): Promise<void>;
  /** One pass; `answer` says what GitHub knows of an issue. */
  prune(
    answer: ((ref: IssueRef, signal: AbortSignal) => Promise<IssueLookup>) | null,
    limits?: RetentionLimits,
    signal?: AbortSignal,
  ): Promise<PruneResult>;
}

async function openStage(): Promise<Stage> {
  const directory = await temporaryDirectory();
  const clock = createVirtualClock(NOW_MS);
  const ids = systemIds(clock);
  const home = await openProgramHome(join(directory.path, "home"), { clock, ids });
  return {
    home,
    clock,
    put: async (path, days, text = "text") => {
      const file = join(home.directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const atSeconds = (NOW_MS - days * DAY_MS) / 1_000;
      for (const name of [file, dirname(file)]) await utimes(name, atSeconds, atSeconds);
    },
    prune: (answer, limits = LIMITS, signal = new AbortController().signal) => {
      const reader: Pick<GithubReader, "issue"> | null = answer === null ? null : { issue: answer };
      return pruneHome(home, limits, { clock, ids, reader }, { isDryRun: false }, signal);
    },
    [Symbol.asyncDispose]: async () => {
      home[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const found = (state: "open" | "closed"): IssueLookup => ({ type: "found", issue: { state } as Issue });

const removed = ({ applied }: PruneResult): string[] => (applied?.removed ?? []).map(({ path }) => path);

const checkpoint = (repo: string, number: number, runId: string): string =>
  JSON.stringify({
    schema: "afk-triage/checkpoint@1",
    repo,
    number,
    runId,
    savedAt: "2026-05-01T00:00:00Z",
    snapshotHash: "",
    end: "finished",
    outcome: { type: "none", message: "" },
    patch: null,
    usage: { inputTokens: 1, outputTokens: 1, usd: 1 },
    isReported: true,
  });

test.each(["acme/widgets", "mona_acme/widgets", "mona_acme/_widgets__x"])(
  "an open issue of %s keeps its checkpoint and the Triage Run that the checkpoint came from (T9)",
  async (repo) => {
    await using stage = await openStage();
    const name = repo.replace("/", "__");
    for (const number of [7, 8])
      await stage.put(`checkpoints/${name}/${number}.json`, 200, checkpoint(repo, number, "R"));
    await stage.put(`runs/R/${name}-7/recording.cast`, 200);
    await stage.put(`runs/Q/${name}-7/recording.cast`, 200);
    const { plan } = await stage.prune(({ repo: asked, number }) =>
      Promise.resolve(found(asked === repo && number === 7 ? "open" : "closed")),
    );
    expect(plan.keep.map(({ unit, reason }) => [unit.path, reason])).toEqual([
      [`checkpoints/${name}/7.json`, "open-issue"],
      [`runs/R/${name}-7`, "checkpoint"],
    ]);
    expect(plan.remove.map(({ unit }) => [unit.path, unit.kind])).toEqual([
      [`checkpoints/${name}/8.json`, "checkpoint"],
      [`runs/Q/${name}-7`, "triage-run"],
    ]);
  },
);

test.each<[string, (bytes: number) => RetentionLimits]>([
  ["too old", () => LIMITS],
  ["over the size limit", (bytes) => ({ ageMs: null, sizeBytes: bytes - 1 })],
])(
  "files of closed issues that are %s are removed although many open issues have older ones",
  async (_, limitsFor) => {
    await using stage = await openStage();
    for (let number = 1; number <= 205; number += 1)
      await stage.put(`checkpoints/o__open/${number}.json`, 300);
    await stage.put("checkpoints/o__closed/1.json", 200);
    const { plan } = await stage.prune(null, { ageMs: null, sizeBytes: null });
    const limits = limitsFor(plan.bytesBefore);
    const passes: { removed: string[]; asked: number }[] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      let asked = 0;
      const result = await stage.prune(({ repo }) => {
        asked += 1;
        return Promise.resolve(found(repo === "o/open" ? "open" : "closed"));
      }, limits);
      passes.push({ removed: removed(result), asked });
    }
    expect(passes.map((pass) => pass.removed)).toEqual([[], ["checkpoints/o__closed/1.json"], []]);
    expect(passes.every(({ asked }) => asked <= 200)).toBe(true);
  },
);

test("slow answers of GitHub end the questions of a pass, and never what it removes", async () => {
  await using stage = await openStage();
  for (let number = 1; number <= 150; number += 1) await stage.put(`checkpoints/o__r/${number}.json`, 200);
  await stage.put("github-responses/answer.json", 100);
  const passes: string[][] = [];
  for (let pass = 0; pass < 3; pass += 1) {
    const result = await stage.prune(async (_, signal) => {
      await stage.clock.advance(1_000);
      signal.throwIfAborted();
      return found("closed");
    });
    passes.push(removed(result));
  }
  expect(passes[0]).toContain("github-responses/answer.json");
  expect(passes[0]).toContain("checkpoints/o__r/1.json");
  expect(passes.flat()).toHaveLength(151);
});

test("a pass removes old files even when reading a large home takes ten minutes", async () => {
  await using stage = await openStage();
  await stage.put("runs/20260501-000000-aaaa/o_r_1/notes.md", 120);
  vi.spyOn(stage.home.sessions, "listManifests").mockImplementation(async () => {
    await stage.clock.advance(10 * 60_000);
    return [];
  });
  expect(removed(await stage.prune(null))).toEqual(["runs/20260501-000000-aaaa/o_r_1"]);
});

test("a stop while GitHub is asked ends the pass with the signal's reason", async () => {
  await using stage = await openStage();
  await stage.put("checkpoints/o__r/1.json", 200);
  await stage.put("github-responses/answer.json", 100);
  const stop = new AbortController();
  const pass = stage.prune(
    (_, signal) => {
      stop.abort(new Error("stopped"));
      return Promise.reject(signal.reason as Error);
    },
    LIMITS,
    stop.signal,
  );
  await expect(pass).rejects.toThrow("stopped");
});
