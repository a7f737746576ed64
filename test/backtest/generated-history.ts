import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import {
  type BacktestItem,
  makePlan,
  openPastRepository,
  readItems,
  runBacktest,
} from "../../src/backtest/index.ts";
import type { TriageAgent } from "../../src/triage/index.ts";
import { openBatchStage } from "../support/batch/batch-stage.ts";

const HOUR_MS = 3_600_000;

/** A generated history of closed issues, and a plan that contains all of them. */
export interface GeneratedHistory extends AsyncDisposable {
  directory: string;
  /** Runs the backtest with this Triage Agent. Returns the result of each issue, and the failures. */
  backtest: (triageAgent: TriageAgent) => Promise<{ items: BacktestItem[]; failures: string[] }>;
}

/**
 * Generates a repository in which a commit after each issue fixes it. The commit's tag, and the issue's later title, body, label
 * and comment, contain the fix. `control` plants the last fix in the checkout before the first issue.
 */
export async function openGeneratedHistory(issues: number, control = false): Promise<GeneratedHistory> {
  const stage = await openBatchStage();
  const { github, ports, directory } = stage;
  const work = join(directory, "history");
  const git = async (atMs: number, ...args: string[]): Promise<string> => {
    const at = new Date(atMs).toISOString();
    const env = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_CONFIG_GLOBAL: "/dev/null" };
    const named = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "gc.auto=0"];
    return (await execa("git", [...named, ...args], { cwd: work, env })).stdout;
  };
  const fixOf = (number: number): string => `fix-of-issue-${number}-`;
  const beganMs = ports.clock.nowMs();
  const write = async (number: number, text: string): Promise<string> => {
    const atMs = beganMs + number * HOUR_MS + HOUR_MS / 2;
    await writeFile(join(work, "widget.mjs"), text);
    await git(atMs, "add", "widget.mjs");
    await git(atMs, "commit", "--quiet", "--message", number === 0 ? "Begin" : `Mend it: ${text}`);
    await git(atMs, "tag", "--annotate", `v${number}`, "--message", text);
    return git(atMs, "rev-parse", "HEAD");
  };
  await mkdir(work);
  await git(beganMs, "init", "--quiet", "--initial-branch=main");
  await write(0, control ? fixOf(issues) : "broken");
  const fixes = new Map<number, string>();
  for (let number = 1; number <= issues; number += 1) {
    stage.advance(HOUR_MS);
    await github.createIssue({ title: `it breaks ${number}`, body: "It throws." });
    fixes.set(number, await write(number, control ? fixOf(issues) + number : fixOf(number)));
  }
  // Events in the same second as the creation of an issue count as part of the creation, so time passes first.
  stage.advance(HOUR_MS);
  for (const [number] of fixes) {
    const ref = { repo: github.repo, number };
    await github.comment(ref, "maintainer", fixOf(number));
    await github.label(ref, "maintainer", fixOf(number));
    await github.editIssue(ref, "reporter", { body: `It throws. Edited: ${fixOf(number)}` });
    await github.setState(ref, "maintainer", "closed");
  }
  const { signal } = new AbortController();
  const repository = {
    name: github.repo,
    cloneUrl: work,
    defaultBranch: "main",
    isPrivate: false,
    isArchived: false,
    hasIssues: true,
    id: 1,
    canTriage: true,
  };
  const whole = async (): Promise<Uint8Array> => {
    await git(beganMs, "bundle", "create", "--quiet", join(directory, "whole"), "--all");
    return readFile(join(directory, "whole"));
  };
  const past = await openPastRepository(join(directory, "past"), "main", whole, ports, signal);
  const history = {
    closedIssues: async (_: string, page: number) =>
      (await github.reader.updatedIssues(github.repo, { since: null, page }, signal)).filter(
        ({ state }) => state === "closed",
      ),
    originalBody: () => Promise.resolve({ text: "It throws.", firstEditAt: null }),
    mergeCommit: () => Promise.resolve(null),
  };
  const reader = {
    ...github.reader,
    timeline: async (...args: Parameters<typeof github.reader.timeline>) =>
      (await github.reader.timeline(...args)).map((fact) =>
        fact.type === "closed" ? Object.assign(fact, { commit: fixes.get(args[0].number) ?? null }) : fact,
      ),
  };
  const request = { name: "b", repo: github.repo, seed: 1, size: issues, cases: [], trustedAuthors: [] };
  const plan = await makePlan(
    { ...request, labels: stage.settings.labels },
    { history, reader, past, say: () => undefined },
    signal,
  );
  return {
    directory,
    backtest: async (triageAgent) => {
      const run = { plan, repository, past, settings: stage.settings, ports: { ...ports, triageAgent } };
      const summary = await runBacktest(run, signal);
      const failures = (summary?.issues ?? []).flatMap(({ number, status, reason, error }) =>
        status === "failed" ? [`#${number} ${reason}: ${error?.message ?? ""}`] : [],
      );
      return { items: await readItems(plan, ports), failures };
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
