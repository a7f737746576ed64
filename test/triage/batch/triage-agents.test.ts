import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  type BatchSummary,
  noUsage,
  type Outcome,
  type TriageAgent,
  type TriageFiles,
} from "../../../src/triage/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { poll } from "../../support/batch/poll.ts";
import { outcomeWith } from "../facts.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

/** The result of one Triage Agent: the line of the summary, and the state on GitHub afterwards. */
interface Row {
  status: string;
  reason: string;
  policy: string[];
  labels: string[];
  state: string;
  comments: number;
}

const applied = (policy: string[], labels: string[], change: Partial<Row> = {}): Row => ({
  status: "applied",
  reason: "needs-triage",
  policy,
  labels: labels.toSorted(),
  state: "open",
  comments: 1,
  ...change,
});
const failed = (reason: string): Row => ({
  ...applied([], ["needs-triage"], { status: "failed", comments: 0 }),
  reason,
});
const notes = applied(["no-valid-outcome"], ["needs-triage"]);

/** Runs one batch in which the title of each issue names its Triage Agent, and compares the results with the table. */
async function check(
  table: Record<string, Row>,
  change: Parameters<BatchStage["run"]>[0] = {},
): Promise<BatchStage> {
  const stage = await openTitled(table);
  const triageAgent = proposingBeside(stage.ports.triageAgent);
  try {
    // A slow machine needs minutes for all the runs of a flaky reproduction.
    const settings = { runDeadlineMs: 360_000, ...change.settings };
    await checkRows(table, await stage.run({ ...change, ports: { triageAgent }, settings }), stage);
    return stage;
  } catch (error) {
    await stage[Symbol.asyncDispose]();
    throw error;
  }
}

async function openTitled(table: Record<string, Row>): Promise<BatchStage> {
  const stage = await openBatchStage();
  for (const title of Object.keys(table)) await stage.github.createIssue({ title, labels: ["needs-triage"] });
  return stage;
}

const wontfix = { reason: "It is meant to be so.", outOfScope: null };

/** Outcomes that need no program of their own. */
const proposals: Readonly<Record<string, Partial<Outcome>>> = {
  "needs-info": { outcome: "needs-info", reproduction: null, questions: ["Which version?"] },
  "ready-for-human": { outcome: "ready-for-human", reproduction: null },
  "needs-triage": { outcome: "needs-triage", reproduction: null },
  "bug-wontfix": { outcome: "wontfix", wontfix },
  "enhancement-wontfix": { outcome: "wontfix", category: "enhancement", wontfix },
  enhancement: { category: "enhancement", reproduction: null },
  "low-confidence": { confidence: "low", questions: ["Which version?"] },
};

/** The stage's program, except for issues whose title names the proposal. */
function proposingBeside(program: TriageAgent): TriageAgent {
  const proposed = async ({ issue }: TriageFiles): Promise<Outcome | null> => {
    const { number, title } = JSON.parse(await readFile(issue, "utf8")) as { number: number; title: string };
    const change = proposals[title.replace(/^proposing /, "")];
    return change === undefined ? null : outcomeWith({ ...change, issue: number });
  };
  return {
    ...program,
    preflight: async (context) =>
      (await proposed(context.files)) === null ? program.preflight(context) : null,
    run: async (context) => {
      const outcome = await proposed(context.files);
      if (outcome === null) return program.run(context);
      await writeFile(context.files.outcome, JSON.stringify(outcome));
      return { type: "finished", exitCode: 0, usage: noUsage };
    },
  };
}

async function checkRows(
  table: Record<string, Row>,
  summary: BatchSummary,
  stage: BatchStage,
): Promise<void> {
  expect(await seen(summary, Object.keys(table), stage)).toEqual(table);
  expect(await stage.left()).toEqual(nothingLeft);
  expect(summary.stranded).toEqual([]);
}

async function seen(
  summary: BatchSummary,
  titles: readonly string[],
  { github }: BatchStage,
): Promise<Record<string, Row>> {
  const signal = AbortSignal.timeout(10_000);
  const rows = summary.issues.map(
    async ({ repo, number, status, reason, policy }): Promise<[string, Row]> => {
      const lookup = await github.reader.issue({ repo, number }, signal);
      if (lookup.type === "gone") throw new Error(`issue ${number} is gone`);
      const { labels, state, commentCount } = lookup.issue;
      const title = titles[number - 1] ?? "";
      return [title, { status, reason, policy, labels: labels.toSorted(), state, comments: commentCount }];
    },
  );
  return Object.fromEntries(await Promise.all(rows));
}

test.concurrent("every kind of honest, wrong and dishonest outcome ends in one comment and one state (A26, A27, A29, A31, A32, T6, T8)", async () => {
  await using stage = await check({
    honest: applied(["reproduction-verified"], ["bug", "ready-for-agent"]),
    flaky: applied(["reproduction-flaky"], ["bug", "ready-for-agent"]),
    lying: applied(["reproduction-not-verified"], ["bug", "needs-info"]),
    editing: applied(["reproduction-not-verified"], ["bug", "needs-info"]),
    "proposing needs-info": applied([], ["bug", "needs-info"]),
    "proposing ready-for-human": applied([], ["bug", "ready-for-human"]),
    "proposing needs-triage": applied([], ["bug", "needs-triage"]),
    "proposing bug-wontfix": applied(["bug-wontfix"], ["bug", "wontfix"], { state: "closed" }),
    "proposing enhancement-wontfix": applied(["enhancement-wontfix"], ["enhancement", "ready-for-human"]),
    "proposing enhancement": applied([], ["enhancement", "ready-for-agent"]),
    "proposing low-confidence": applied(["low-confidence"], ["bug", "needs-info"]),
  });
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("a crashing, silent or destructive Triage Agent affects only its own issue (S9, S11, T5)", async () => {
  await using _stage = await check({
    honest: applied(["reproduction-verified"], ["bug", "ready-for-agent"]),
    crashing: failed("triage-agent-failed"),
    "crashing-late": applied([], ["bug", "ready-for-human"]),
    "killing-session": failed("triage-agent-lost"),
    silent: notes,
    forking: applied([], ["bug", "ready-for-human"]),
    deleting: failed("triage-agent-lost"),
  });
});

test.concurrent("an outcome file that is not small, strict JSON about this issue results in notes (S9, T6)", async () => {
  // The reader's own test has all other invalid outcomes (test/triage/outcome-reader.test.ts).
  const makers = "not-json symlink fifo directory huge";
  await using _stage = await check(
    Object.fromEntries(makers.split(" ").map((maker) => [`outcome-file ${maker}`, notes])),
  );
});

test.concurrent("only the run deadline ends a Triage Agent that hangs in silence or never stops talking (A16, S11, C15)", async () => {
  const table = { hanging: notes, "endless-output": notes };
  await using stage = await openTitled(table);
  const running = stage.run();
  const areAtWork = async (): Promise<boolean> => {
    const { processes } = await stage.left();
    const agents = processes.filter((line) => line.trimEnd().endsWith("by-title.mjs"));
    return agents.length === 2 && Math.max(...(await outputSizes(stage))) > 100_000;
  };
  await poll("both Triage Agents, and some of the endless output", areAtWork, 150_000);
  // The time limit of the Triage Agents' Waited Runs is the rest of the run deadline, less the time to stop them.
  const { runDeadlineMs } = stage.settings;
  stage.expire((durationMs) => durationMs > runDeadlineMs / 2 && durationMs < runDeadlineMs);
  await checkRows(table, await running, stage);
  const bodies = await commentsOf(stage, 1);
  expect(bodies[0]).toContain("The Triage Agent reached no result within its time limit.");
});

/** Returns the size of every Session's output in the batch, in bytes. */
async function outputSizes({ events, ports }: BatchStage): Promise<number[]> {
  const opened = events.flatMap((event) => (event.type === "session-opened" ? [event.sessionId] : []));
  const logs = opened.map((id) => join(ports.sessionHome.sessionDirectory(id), "output.bin"));
  return Promise.all(
    logs.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
}

test.concurrent("a reproduction that never ends is stopped and proves nothing (S11, T8, V3)", async () => {
  const unverified = applied(["reproduction-unproven"], ["bug", "needs-triage"]);
  await using _stage = await check(
    {
      "reproducing hanging": unverified,
      "reproducing endless": unverified,
      "reproducing forking": unverified,
    },
    { settings: { reproduction: { place: "fresh", runs: 1, timeoutMs: 1_000, rangeMs: null } } },
  );
});

test.concurrent("terminal and workflow commands of a Triage Agent are inert in the comment (S4, S7, S10)", async () => {
  await using stage = await check({ garbage: applied([], ["bug", "needs-info"]) });
  const [body = ""] = await commentsOf(stage, 1);
  expect(body).toContain("red");
  expect(body).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(body).not.toMatch(/^\s*::|##\[/m);
  expect(body.replaceAll(/`[^`\n]*`/g, "")).not.toMatch(/@maintainer|closes #1|https:\/\/evil/i);
  expect(body.match(/^<!--/gm)).toHaveLength(1);
});

async function commentsOf({ github }: BatchStage, number: number): Promise<string[]> {
  const comments = await github.reader.comments({ repo: github.repo, number }, AbortSignal.timeout(10_000));
  return comments.map(({ body }) => body);
}
