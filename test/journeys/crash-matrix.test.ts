import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkNothingLeft } from "../support/batch/nothing-left.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { summarySchema } from "../support/batch/summary-schema.ts";
import type { Fault } from "../support/github/recording-proxy.ts";

// The test kills one program for every write of every kind of outcome.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

/** The number of programs that run at the same time: each mostly waits for its processes. */
const AT_A_TIME = 3;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

interface Kind {
  /** The issue's title, which names the Triage Agent. */
  title: string;
  /** The issue's labels when it is opened. */
  labels: readonly string[];
}

/** Together these two cause every kind of write: a bug that is closed, and labels that contradict each other (policy 4). */
const usual: readonly Kind[] = [
  { title: "proposing bug-wontfix", labels: ["needs-triage"] },
  { title: "conflict", labels: ["needs-triage", "bug", "enhancement"] },
];

const others: readonly Kind[] = [
  { title: "honest", labels: ["needs-triage"] },
  { title: "proposing needs-info", labels: ["needs-triage"] },
  { title: "proposing enhancement", labels: ["needs-triage", "bug"] },
  { title: "proposing ready-for-human", labels: ["needs-info", "bug"] },
  { title: "proposing needs-triage", labels: ["needs-triage"] },
  { title: "proposing enhancement-wontfix", labels: ["needs-triage", "enhancement"] },
];

/** `npm run test:crashes` plays all kinds; each write of a kind takes seconds. */
const kinds = process.env["AFK_TEST_CRASHES"] === "all" ? [...usual, ...others] : usual;

interface Cell {
  kind: Kind;
  number: number;
  /** The write at which the parent dies; `fault` decides whether GitHub receives that write. */
  nth: number;
  fault: Fault | null;
}

test("after a SIGKILL at any write of any kind of outcome, two parents at once leave one comment, the right labels and the right state (T7)", async ({
  annotate,
}) => {
  await using stage = await openProgramStage(program);
  const references = await Promise.all(kinds.map((kind) => openIssue(stage, kind)));
  const whole = await stage.run(["run"]);
  expect(summarySchema.parse(JSON.parse(whole.stdout)).totals).toMatchObject({ applied: kinds.length });
  const expected = await Promise.all(references.map((number) => endState(stage, number)));
  const cells: Cell[] = [];
  for (const [index, kind] of kinds.entries()) {
    const writes = writesOn(stage, references[index] ?? 0).length;
    const kill = async (nth: number, fault: Fault | null): Promise<void> =>
      void cells.push({ kind, number: await openIssue(stage, kind), nth, fault });
    // For GitHub, a death before write n + 1 is the same as a death after write n.
    await kill(1, { type: "drop-before" });
    for (let nth = 1; nth <= writes; nth += 1) await kill(nth, null);
  }
  const limit = pLimit(AT_A_TIME);
  const killers = killersBehind(stage);
  await Promise.all(cells.map((cell) => limit(() => killAtWrite(stage, cell, killers))));

  const restarted = await Promise.all([stage.start(["run"]), stage.start(["run"])]);
  expect(restarted.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toMatchObject([
    { exitCode: 0 },
    { exitCode: 0 },
  ]);
  for (const { kind, number, nth, fault } of cells) {
    const cell = `#${number} ${kind.title}, ${fault === null ? "after" : "before"} write ${nth}`;
    expect([cell, await endState(stage, number)]).toEqual([cell, expected[kinds.indexOf(kind)]]);
  }
  const again = summarySchema.parse(JSON.parse((await stage.run(["run"])).stdout));
  expect(again.totals).toMatchObject({ applied: 0, failed: 0 });
  await checkNothingLeft(stage);
  expect(await readdir(join(stage.home, "runs"))).not.toEqual([]);
  await annotate(`${cells.length} parents killed, over ${kinds.length} kinds of outcome`);
});

async function openIssue(stage: ProgramStage, { title, labels }: Kind): Promise<number> {
  return (await stage.github.createIssue({ title, labels })).number;
}

async function endState(stage: ProgramStage, number: number): Promise<object> {
  const { reader, repo } = stage.github;
  const lookup = await reader.issue({ repo, number }, AbortSignal.timeout(10_000));
  if (lookup.type === "gone") throw new Error(`issue ${number} is gone`);
  const { labels, state, stateReason } = lookup.issue;
  const comments = await stage.comments(number);
  return { labels: labels.toSorted(), state, stateReason, comments: comments.length };
}

function isWriteOn(number: number): (request: { method: string; path: string }) => boolean {
  const path = new RegExp(`/issues/${number}(?:/|$)`);
  return (request) => request.method !== "GET" && path.test(request.path);
}

function writesOn({ github }: ProgramStage, number: number): unknown[] {
  return github.proxy.requests.filter(isWriteOn(number));
}

/** For each issue, a function that is called with every write on it and returns the fault for that write, or null. */
type Killers = Map<number, () => Fault | null>;

function killersBehind({ github }: ProgramStage): Killers {
  const killers: Killers = new Map();
  github.proxy.onRequest = (request) => {
    for (const [number, killer] of killers) if (isWriteOn(number)(request)) return killer();
    return null;
  };
  return killers;
}

async function killAtWrite(
  stage: ProgramStage,
  { number, nth, fault }: Cell,
  killers: Killers,
): Promise<void> {
  const running = stage.start(["run", "--issue", String(number)]);
  let writes = 0;
  killers.set(number, () => {
    writes += 1;
    if (writes !== nth) return null;
    running.kill("SIGKILL");
    // Without a fault the write reaches GitHub, which applies it; the parent is dead when the response arrives.
    return fault;
  });
  const { signal, stdout, stderr } = await running;
  expect(signal, `#${number} did not reach write ${nth}:\n${stdout}\n${stderr}`).toBe("SIGKILL");
  killers.delete(number);
}
