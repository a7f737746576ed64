import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import type { Store } from "../../src/store/index.ts";
import { expect, test, vi } from "vitest";
import {
  backtestReport,
  makePlan,
  openPastRepository,
  readItems,
  readPlan,
  runBacktest,
  savePlan,
} from "../../src/backtest/index.ts";
import { exitCodeOf } from "../../src/cli/exit-codes.ts";
import type { Issue } from "../../src/github/index.ts";
import { openBatchStage } from "../support/batch/batch-stage.ts";
import { forbiddenAgent } from "../support/batch/in-process-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Real batches run, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const signal = new AbortController().signal;
const FIXED = "export const first = (list) => list[0]?.name;\n";

/** Opens a stage whose product has a bug, an issue about the bug, and later a commit that fixes it. */
async function openPastStage() {
  const stage = await openBatchStage();
  const cwd = join(stage.directory, "product");
  const at = async (iso: string, ...args: string[]): Promise<string> => {
    const env = { GIT_COMMITTER_DATE: iso, GIT_AUTHOR_DATE: iso, GIT_CONFIG_GLOBAL: "/dev/null" };
    const named = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
    return (await execa("git", [...named, ...args], { cwd, env })).stdout;
  };
  const nowMs = stage.ports.clock.nowMs();
  const iso = (ms: number): string => new Date(nowMs + ms).toISOString();
  // The objects that the stage created have no date in the past, so the commit is amended.
  await at(iso(-9_000_000), "commit", "--quiet", "--amend", "--no-edit", "--date", iso(-9_000_000));
  const broken = await at("", "rev-parse", "HEAD");
  await at(iso(-8_500_000), "tag", "--annotate", "v1", "--message", "v1");
  await at(iso(-8_500_000), "tag", "light");
  const { github } = stage;
  await github.createIssue({ title: "honest", body: "it throws" });
  await github.createIssue({ title: "proposing needs-info", body: "what?" });
  stage.advance(3_600_000);
  await writeFile(join(cwd, "widget.mjs"), FIXED);
  await at(iso(1_800_000), "commit", "--quiet", "--all", "--message", "Fix the crash");
  const fix = await at("", "rev-parse", "HEAD");
  await at(iso(1_900_000), "tag", "--annotate", "v2", "--message", "v2");
  await github.comment({ repo: github.repo, number: 1 }, "maintainer", "fixed in v2");
  for (const number of [1, 2]) await github.setState({ repo: github.repo, number }, "maintainer", "closed");
  await github.label({ repo: github.repo, number: 2 }, "maintainer", "needs-info");
  const repository = {
    name: github.repo,
    cloneUrl: cwd,
    defaultBranch: (await at("", "branch", "--show-current")).trim(),
    isPrivate: false,
    isArchived: false,
    hasIssues: true,
    id: 1,
    canTriage: true,
  };
  const whole = async (): Promise<Uint8Array> => {
    const file = join(stage.directory, "whole.bundle");
    await execa("git", ["bundle", "create", "--quiet", file, "--all"], { cwd });
    return Buffer.from((await execa("cat", [file], { encoding: "buffer" })).stdout);
  };
  const past = await openPastRepository(
    join(stage.directory, "past"),
    repository.defaultBranch,
    whole,
    stage.ports,
    signal,
  );
  const history = {
    closedIssues: async (_: string, page: number) =>
      page > 1
        ? []
        : (await github.reader.updatedIssues(github.repo, { since: null, page: 1 }, signal)).filter(
            ({ state }) => state === "closed",
          ),
    originalBody: () => Promise.resolve(null),
    mergeCommit: () => Promise.resolve(null),
  };
  const reader = {
    ...github.reader,
    timeline: async (...args: Parameters<typeof github.reader.timeline>) =>
      (await github.reader.timeline(...args)).map((fact) =>
        fact.type === "closed" && args[0].number === 1 ? Object.assign(fact, { commit: fix }) : fact,
      ),
  };
  return Object.assign(stage, { repository, past, history, reader, broken, fix, at });
}

test("a repository that cannot be fetched ends a backtest before its first issue, with a remedy that is not already in force (E1)", async () => {
  await using directory = await temporaryDirectory();
  const failure = new OperationalError({
    code: "CHECKOUT_BUNDLE_FAILED",
    message: "make a git bundle of https://github.example/o/r.git: exit code 128",
    remedy: "Check checkout.url, or use checkout.strategy: clone.",
  });
  const opening = openPastRepository(
    join(directory.path, "past"),
    "main",
    () => Promise.reject(failure),
    { ids: systemIds(systemClock), clock: systemClock },
    signal,
  );
  const error = (await opening.catch((each: unknown) => each)) as OperationalError;
  expect([error.code, error.message]).toEqual(["BACKTEST_REPOSITORY_UNREADABLE", failure.message]);
  expect(error.remedy).not.toContain("strategy");
  expect(exitCodeOf(error.code)).toBe(4);
});

test("a backtest triages past issues, writes nothing to GitHub, checks reproductions against the fix, and resumes where it stopped (E1, E2)", async () => {
  await using stage = await openPastStage();
  const { github, past, repository, ports } = stage;
  const labels = stage.settings.labels;
  const request = { name: "b", repo: github.repo, seed: 1, size: 10, cases: [], labels, trustedAuthors: [] };
  const plan = await makePlan(
    request,
    { history: stage.history, reader: stage.reader, past, say: () => undefined },
    signal,
  );
  expect(plan.items).toMatchObject([
    {
      number: 1,
      base: stage.broken,
      fix: stage.fix,
      truth: { outcome: "worked-on", why: "closed-by-commit" },
    },
    { number: 2, base: stage.broken, fix: null, truth: { outcome: "asked" } },
  ]);
  await savePlan(stage.directory, plan, ports.ids);
  expect(await readPlan(stage.directory)).toEqual(plan);
  const before = github.calls.length;
  const run = { plan, repository, past, settings: stage.settings, ports };
  const summary = await runBacktest(run, signal);
  expect(summary?.totals).toMatchObject({ applied: 2, failed: 0 });
  expect(github.calls.slice(before)).toEqual([]);
  const items = await readItems(plan, ports);
  expect(items).toMatchObject([
    {
      number: 1,
      ours: { outcome: "worked-on", state: "ready-for-agent", confidence: "high", evidence: "verified" },
      fix: { failsBefore: true, passesAfter: true },
    },
    { number: 2, ours: { outcome: "asked", state: "needs-info" }, fix: null },
  ]);
  expect(backtestReport(plan, items)).toMatchObject({
    done: 2,
    agreement: { hits: 2, of: 2 },
    falseCloses: { of: 0 },
  });
  // All results exist, so nothing is run again.
  expect(await runBacktest({ ...run, ports: { ...ports, triageAgent: forbiddenAgent } }, signal)).toBeNull();
});

test("a plan reads no page of closed issues that GitHub refuses without a cursor (E1)", async () => {
  const asked: number[] = [];
  const closedIssues = (_: string, page: number): Promise<Issue[]> => {
    asked.push(page);
    return Promise.resolve(Array.from({ length: 100 }, () => ({ isPullRequest: true }) as Issue));
  };
  const request = { name: "b", repo: "octo/widgets", seed: 1, size: 10, cases: [], trustedAuthors: [] };
  const ports = { history: { closedIssues } };
  const planned = makePlan(
    request as unknown as Parameters<typeof makePlan>[0],
    ports as unknown as Parameters<typeof makePlan>[1],
    signal,
  );
  await expect(planned).rejects.toMatchObject({ code: "BACKTEST_EMPTY" });
  expect(asked.at(-1)).toBe(99);
});

test("a checkout of the past contains no commit, object, branch or tag of the future (E1)", async () => {
  await using stage = await openPastStage();
  const { past, at } = stage;
  const nowMs = stage.ports.clock.nowMs();
  const bundle = await past.bundleAt(stage.broken, nowMs - 3_600_000 - 60_000, signal);
  const file = join(stage.directory, "then.bundle");
  await writeFile(file, bundle);
  await at("", "clone", "--quiet", "--no-local", file, join(stage.directory, "then"));
  const then = async (...args: string[]): Promise<string> =>
    (await execa("git", args, { cwd: join(stage.directory, "then") })).stdout;
  expect(await then("tag")).toBe("v1");
  expect(await then("log", "--all", "--format=%s")).not.toContain("Fix");
  const objects = await then("cat-file", "--batch-all-objects", "--batch-check=%(objectname)");
  expect(objects).not.toContain(stage.fix);
  const blob = await at("", "rev-parse", `${stage.fix}:widget.mjs`);
  expect(objects).not.toContain(blob);
  expect(Buffer.from(bundle).includes(stage.fix)).toBe(false);
});

type Run = Parameters<typeof runBacktest>[0];

test("a resumed backtest counts what its failed Triage Runs cost in its budget and in its report (E1, E2)", async () => {
  const end = { status: "failed", reason: "", outcome: null, error: null };
  const run = { runId: "r", progress: { phase: "settled", end }, result: { usage: { usd: 2 } } };
  const store = { trustFacts: () => [], runsOfIssue: () => [run, run] } as unknown as Store;
  const past = { issue: { ref: { repo: "o/r", number: 1 }, title: "t", url: "u" }, comments: [], gaps: [] };
  const truth = { outcome: "asked", why: "asked-label", fix: null } as const;
  const item = { number: 1, origin: "sample", atMs: 0, base: "b", fix: null, truth, past };
  const plan = { repo: "o/r", items: [item] } as unknown as Run["plan"];
  const reproductions = { read: () => Promise.resolve(null) } as never;
  expect(await readItems(plan, { store, reproductions })).toMatchObject([
    { ours: null, hasFailed: true, usd: 4 },
  ]);
  const settings = { duplicates: {}, checkout: {}, budget: { batchUsd: 4 }, parallelism: 1 };
  const ports = { store, reproductions, clock: { nowMs: () => 0 } };
  // The budget is spent, so no batch starts.
  const resumed = { plan, settings, ports, repository: { name: "o/r" } } as unknown as Run;
  expect(await runBacktest(resumed, signal)).toBeNull();
});
