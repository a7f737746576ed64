import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import { type BacktestItem, backtestReport, openPastRepository } from "../../src/backtest/index.ts";
import { issueAsOf } from "../../src/backtest/past/issue-as-of.ts";
import { type AutonomyEvent, decideAutonomy } from "../../src/trust/index.ts";
import { defaultLabelNames } from "../../src/triage/index.ts";
import { seeded } from "../support/seeded.ts";

const THEIRS = ["worked-on", "asked", "declined"] as const;

/** Issues of known truth, with the outcomes of a Triage Agent that is right so often. */
function playedItems(accuracy: number, count: number, random: () => number): BacktestItem[] {
  return Array.from({ length: count }, (_, index) => {
    const theirs = THEIRS[index % THEIRS.length] ?? "asked";
    const wrong = THEIRS[(index + 1) % THEIRS.length] ?? "asked";
    const outcome = random() < accuracy ? theirs : wrong;
    return {
      number: index + 1,
      title: "",
      url: "",
      origin: "sample",
      truth: { outcome: theirs, why: "nothing-tells", fix: null },
      gaps: [],
      ours: { outcome, state: null, close: null, confidence: "high", evidence: null, usd: 0, ms: 0 },
      fix: null,
    };
  });
}

/** How many of the repetitions' agreement intervals cover the accuracy. */
export function coveredBy(accuracy: number, repetitions: number, issues = 300): number {
  const facts = { name: "truth", repo: "o/r", seed: 1, population: {} };
  return Array.from({ length: repetitions }, (_, index) => {
    const random = seeded(index + 1 + Math.round(accuracy * 1_000_000));
    const { agreement } = backtestReport(facts, playedItems(accuracy, issues, random));
    return agreement.lower <= accuracy && accuracy <= agreement.upper;
  }).filter(Boolean).length;
}

export interface AutonomyPlay {
  /** Repetitions in which the level reached `apply` within the outcomes. */
  rose: number;
  /** Of those at `apply`: how many stood there no more after three outcomes that nobody accepted. */
  fell: number;
  atApply: number;
}

export function playAutonomy(accuracy: number, repetitions: number, outcomes = 300): AutonomyPlay {
  const bad: AutonomyEvent[] = [1, 2, 3].map((number) => ({ type: "judged", isAccepted: false, number }));
  const play: AutonomyPlay = { rose: 0, fell: 0, atApply: 0 };
  for (let index = 0; index < repetitions; index += 1) {
    const random = seeded(index + 1 + Math.round(accuracy * 1_000_000));
    const record = Array.from({ length: outcomes }, (_, number): AutonomyEvent => {
      return { type: "judged", isAccepted: random() < accuracy, number };
    });
    const state = decideAutonomy(record);
    if (state.moves.some(({ to }) => to === "apply")) play.rose += 1;
    if (state.level !== "apply") continue;
    play.atApply += 1;
    if (decideAutonomy([...record, ...bad]).level !== "apply") play.fell += 1;
  }
  return play;
}

/**
 * A generated repository in which every issue is fixed by the commit after it, and a hostile search of each issue's checkout,
 * its git objects and its issue file for that fix. Gives the numbers of the issues whose fix was found. `directory` is empty.
 */
export async function searchForTheFuture(directory: string, issues: number): Promise<number[]> {
  const work = join(directory, "work");
  await mkdir(work, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: directory, GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = async (cwd: string, at: string, ...args: string[]): Promise<string> => {
    const dates = at === "" ? {} : { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
    const named = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "gc.auto=0"];
    const options = { cwd, env: { ...env, ...dates }, extendEnv: false };
    return (await execa("git", [...named, ...args], options)).stdout;
  };
  const atMs = (number: number): number => Date.parse("2024-01-01T00:00:00Z") + number * 3_600_000;
  const secret = (number: number): string => `fix-of-issue-${number}-`;
  await git(work, "", "init", "--quiet", "--initial-branch=main");
  for (let number = 0; number <= issues; number += 1) {
    await writeFile(join(work, "fix.txt"), number === 0 ? "broken" : secret(number));
    const at = new Date(atMs(number) + 1_800_000).toISOString();
    await git(work, at, "add", "fix.txt");
    await git(work, at, "commit", "--quiet", "--message", number === 0 ? "begin" : secret(number));
    await git(work, at, "tag", "--annotate", `v${number}`, "--message", secret(number));
  }
  const { signal } = new AbortController();
  const whole = async (): Promise<Uint8Array> => {
    await git(work, "", "bundle", "create", "--quiet", join(directory, "whole"), "--all");
    return readFile(join(directory, "whole"));
  };
  const past = await openPastRepository(
    join(directory, "past"),
    "main",
    whole,
    systemIds(systemClock),
    signal,
  );
  const found: number[] = [];
  for (let number = 1; number <= issues; number += 1) {
    const commit = await past.commitBefore(atMs(number), signal);
    const clone = join(directory, "clone");
    const file = join(directory, "then");
    await writeFile(file, await past.bundleAt(commit ?? "", atMs(number), signal));
    await git(directory, "", "clone", "--quiet", "--no-local", file, clone);
    const objects = await execa("git", ["cat-file", "--batch-all-objects", "--batch", "--unordered"], {
      cwd: clone,
      env,
    });
    const files = await readdir(clone, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), "latin1")),
    );
    const seen = [objects.stdout, ...texts, issueFileOf(number, atMs(number), secret(number))].join("\n");
    // Of this issue or of any later one.
    const later = [...seen.matchAll(/fix-of-issue-(\d+)-/g)].some(([, of]) => Number(of) >= number);
    if (later) found.push(number);
    await rm(clone, { recursive: true, force: true });
  }
  return found;
}

/** The issue as its Triage Agent would read it, from a history that tells the fix everywhere it can. */
function issueFileOf(number: number, atMs: number, secret: string): string {
  const later = new Date(atMs + 3_600_000).toISOString();
  const at = new Date(atMs).toISOString();
  const maintainer = { id: 1, login: "maintainer", isBot: false };
  const issue = {
    ref: { repo: "octo/widgets", number } as const,
    title: `closed: ${secret}`,
    body: `it breaks (edited: ${secret})`,
    state: "closed" as const,
    stateReason: "completed",
    locked: false,
    labels: [secret],
    author: { id: 2, login: "reporter", isBot: false },
    createdAt: at,
    updatedAt: later,
    isPullRequest: false,
    url: "",
    commentCount: 1,
    reactionCount: 1,
    milestone: secret,
  };
  const comments = [{ id: 1, body: secret, author: maintainer, createdAt: later, updatedAt: later, url: "" }];
  const timeline = [
    { at: later, actor: maintainer, type: "renamed" as const, from: "it breaks", to: `closed: ${secret}` },
    { at: later, actor: maintainer, type: "labeled" as const, label: secret },
  ];
  return JSON.stringify(
    issueAsOf({ issue, comments, timeline, originalBody: "it breaks" }, atMs, defaultLabelNames),
  );
}
