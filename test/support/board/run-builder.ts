import { boardRunId, type RunDocument, type RunRowDocument } from "../../../src/board/index.ts";
import type { FakeRun } from "./fake-board-source.ts";

export type Outcome = "ready-for-agent" | "ready-for-human" | "needs-info" | "wontfix" | "needs-triage";
type End = NonNullable<RunRowDocument["end"]>;

export interface RunFacts {
  runId: string;
  repo?: string;
  number: number;
  title: string;
  category?: "bug" | "enhancement";
  startedAtMs: number;
  durationMs?: number;
  usd?: number | null;
  end?:
    | { outcome: Outcome; policy?: string }
    | { failure: NonNullable<End["error"]>; reason: string }
    | { status: "skipped" | "locked" | "requeued"; reason: string };
  /** The phase of a run that has not ended. */
  phase?: string;
  displayStatus?: string;
  indicator?: RunRowDocument["indicator"];
  pullRequest?: RunRowDocument["pullRequest"];
}

export const indicators = {
  running: { symbol: "🟢", name: "running", isPulsing: false },
  waiting: { symbol: "🟡", name: "needs input", isPulsing: true },
  stale: { symbol: "🟠", name: "stale", isPulsing: false },
  starting: { symbol: "⚪", name: "starting", isPulsing: false },
  done: { symbol: "✅", name: "exited with 0", isPulsing: false },
  failed: { symbol: "🔴", name: "failed", isPulsing: false },
} as const;

const PHASES = [
  "selected",
  "creating",
  "preparing",
  "triaging",
  "verifying",
  "applying",
  "destroying",
  "settled",
];
/** The shares of a run's time per phase. */
const SHARES = [0.01, 0.09, 0.13, 0.52, 0.14, 0.03, 0.08];

/** Builds a run as the board shows it, from the few facts that a test or picture needs. */
export function buildRun(facts: RunFacts, rest: Partial<RunDocument> = {}): FakeRun {
  const run = rowOf(facts);
  return {
    document: {
      schema: "afk-triage/board-run@1",
      run,
      history: historyOf(facts),
      timings: null,
      coderWorkspace: {
        state: run.end === null ? "ready" : "absent",
        name: `${run.repo.split("/")[1]}-triage-${run.number}`,
      },
      terminals: [],
      outcome: null,
      policy: run.policy,
      verification: null,
      checks: [],
      comment: null,
      audit: { entries: [], problem: null },
      pullRequests: run.pullRequest === null ? [] : [run.pullRequest],
      nudges: [],
      artifacts: [],
      ...rest,
    },
    issue: null,
    terminals: {},
    files: {},
  };
}

function rowOf(facts: RunFacts): RunRowDocument {
  const { runId, repo = "acme/widgets", number, title, startedAtMs, usd = 0.4 } = facts;
  const end = endOf(facts);
  const indicator =
    end === null ? indicators.running : end.status === "failed" ? indicators.failed : indicators.done;
  return {
    id: boardRunId({ runId, repo, number }),
    runId,
    repo,
    number,
    title,
    issueUrl: `https://github.com/${repo}/issues/${number}`,
    displayStatus: facts.displayStatus ?? (end === null ? "working" : "terminated"),
    indicator: facts.indicator ?? indicator,
    phase: end === null ? (facts.phase ?? "triaging") : "settled",
    surface: null,
    startedAtMs,
    settledAtMs: end === null ? null : startedAtMs + (facts.durationMs ?? 400_000),
    parentLost: null,
    end,
    policy: policyOf(facts),
    category: facts.category ?? "bug",
    usage:
      usd === null
        ? null
        : { inputTokens: Math.round(usd * 310_000), outputTokens: Math.round(usd * 9_000), usd },
    evidence: evidenceOf(policyOf(facts)),
    pullRequest: facts.pullRequest ?? null,
  };
}

/** Returns the evidence of the parent's own runs, for the policies that are based on it. */
function evidenceOf([policy]: readonly string[]): RunRowDocument["evidence"] {
  const place = "0 of 4 control runs show it too, in a separate environment";
  switch (policy) {
    case "reproduction-verified":
      return { verdict: "verified", runs: "3/3", controls: "0/4", text: `verified: 3 of 3 runs, ${place}` };
    case "reproduction-flaky":
      return { verdict: "flaky", runs: "1/3", controls: "0/4", text: `flaky: 1 of 3 runs, ${place}` };
    default:
      return null;
  }
}

function endOf({ end }: RunFacts): End | null {
  if (end === undefined) return null;
  if ("failure" in end) return { status: "failed", reason: end.reason, outcome: null, error: end.failure };
  if ("status" in end) return { status: end.status, reason: end.reason, outcome: null, error: null };
  return { status: "applied", reason: "needs-triage", outcome: end.outcome, error: null };
}

function policyOf({ end }: RunFacts): string[] {
  return end !== undefined && "policy" in end && end.policy !== undefined ? [end.policy] : [];
}

function historyOf({
  startedAtMs,
  durationMs = 400_000,
  end,
  phase = "triaging",
}: RunFacts): RunDocument["history"] {
  const last = end === undefined ? PHASES.indexOf(phase) : PHASES.length - 1;
  // A run that failed at its checkout skipped the phases in between.
  const isLeftOut = (name: string): boolean =>
    end !== undefined && "failure" in end && ["triaging", "verifying", "applying"].includes(name);
  let atMs = startedAtMs;
  return PHASES.slice(0, last + 1).flatMap((name, index) => {
    const step = { phase: name, atMs: Math.round(atMs) };
    atMs += durationMs * (isLeftOut(name) ? 0 : (SHARES[index] ?? 0));
    return isLeftOut(name) ? [] : [step];
  });
}
