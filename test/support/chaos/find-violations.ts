import { readdir } from "node:fs/promises";
import { systemClock } from "agent-tty/kit";
import type { ChaosStage } from "./chaos-stage.ts";
import { type Expectation, expectations, FOREIGN_LABEL } from "./expectations.ts";
import type { ParentEnd } from "./parents.ts";
import { parentViolations } from "./parent-violations.ts";
import { readNotes, type SeenNotes } from "./read-notes.ts";
import { recordViolations } from "./record-violations.ts";
import type { Schedule, ScheduledIssue } from "./schedule.ts";

export const invariants = [
  "no Coder workspace is left",
  "no process is left",
  "no comment is doubled",
  "no outcome is missing",
  "no label is wrong",
  "no record or exit code lies",
] as const;
export type Invariant = (typeof invariants)[number];

export interface Violation {
  invariant: Invariant;
  text: string;
}

/** Checks the conditions that must hold after any schedule and its recovery. */
export async function findViolations(
  stage: ChaosStage,
  schedule: Schedule,
  ends: readonly ParentEnd[],
  processPatienceMs = 5_000,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const add = (invariant: Invariant, texts: readonly string[]): void =>
    void violations.push(...texts.map((text) => ({ invariant, text })));
  const published = new Map<number, SeenNotes[]>();
  for (const [index, issue] of schedule.issues.entries()) {
    const number = index + 1;
    const seen = await readNotes(stage.github, number);
    published.set(number, seen.notes);
    const found = issueViolations(number, issue, seen);
    add("no comment is doubled", found.doubled);
    add("no outcome is missing", found.missing);
    add("no label is wrong", found.labels);
  }
  add("no Coder workspace is left", [
    ...stage.left().map((name) => `${name} is left`),
    ...stage.othersGone().map((name) => `${name} of somebody else is gone`),
  ]);
  add("no process is left", await processesLeft(stage, processPatienceMs));
  const homes = [...new Set(schedule.parents.map(({ home }) => stage.home(home)))];
  add("no record or exit code lies", [
    ...(await recordViolations(homes, published)),
    ...ends.flatMap(parentViolations),
    ...(await readdir(stage.temporary)).map((name) => `the temporary file ${name} is left`),
  ]);
  return violations;
}

function issueViolations(
  number: number,
  { agent }: ScheduledIssue,
  seen: Awaited<ReturnType<typeof readNotes>>,
): Record<"doubled" | "missing" | "labels", string[]> {
  const expected: Expectation = expectations[agent];
  const isExpected = expected.type === "outcome";
  const labels = isExpected
    ? [FOREIGN_LABEL, expected.state, ...(expected.category === null ? [] : [expected.category])]
    : [FOREIGN_LABEL, "needs-triage"];
  const wanted = `${labels.toSorted().join(", ")}; ${isExpected && expected.isClosed ? "closed" : "open"}`;
  const shown = `${seen.labels.join(", ")}; ${seen.state}`;
  const comments = seen.notes.length + seen.otherComments;
  const outcomes = seen.notes.map(({ outcome }) => outcome);
  return {
    doubled:
      comments > (isExpected ? 1 : 0) ? [`#${number} (${agent}) has ${comments} comments of ours`] : [],
    missing:
      isExpected && outcomes[0] !== expected.state
        ? [`#${number} (${agent}) shows [${outcomes.join()}], not ${expected.state}`]
        : [],
    labels: wanted === shown ? [] : [`#${number} (${agent}) shows ${shown}; wanted ${wanted}`],
  };
}

/** Returns the processes that are left; a process that was told to end may take up to `patienceMs`. */
async function processesLeft(stage: ChaosStage, patienceMs: number): Promise<string[]> {
  const endsMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const left = await stage.processes();
    if (left.length === 0 || systemClock.monotonicMs() > endsMs) return left;
    await systemClock.sleep(50);
  }
}
