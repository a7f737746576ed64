import type { Home } from "../../home/index.ts";
import { type Clock, OperationalError } from "../../kit/index.ts";
import type { HostConnection } from "../../protocol/index.ts";
import { policyOf } from "../exit-codes.ts";
import { requireReachable, withCommandTarget } from "../live-host.ts";
import { type CommandResult, errorDocument } from "../report.ts";
import { type BatchStep, parseBatchPlan } from "./batch-plan.ts";
import { runResult } from "./run.ts";
import { reasonOf } from "./wait.ts";

const KEPT_GOING_EXIT_CODE = 1;

export interface BatchRecord {
  index: number;
  kind: BatchStep["kind"];
  status: "completed" | "failed" | "interrupted" | "not-run";
  durationMs: number;
  [field: string]: unknown;
}

interface StepEnd {
  fields: Record<string, unknown>;
  /** The sequence number that a wait after this step must pass; null keeps the earlier one. */
  baseline: number | null;
}

/** Runs several steps over one connection, one after the other. A wait considers only the screen after the input before it. */
export async function batch(
  home: Home,
  sessionId: string,
  source: string,
  options: { keepsGoing: boolean; signal: AbortSignal },
): Promise<CommandResult> {
  const steps = parseBatchPlan(source);
  const records = await withCommandTarget(home, sessionId, (host) =>
    runSteps(host, home.clock, steps, {
      ...options,
      explain: (error) => requireReachable(home, sessionId, error),
    }),
  );
  const failed = records.filter((record) => record.status === "failed");
  const completedCount = records.filter((record) => record.status === "completed").length;
  const result = { steps: records, completedCount, failedIndices: failed.map((record) => record.index) };
  const lines = records.map(
    ({ index, kind, status, durationMs }) => `[${index}] ${kind} ${status} (${durationMs} ms)`,
  );
  return {
    result,
    text: [...lines, `${completedCount} of ${records.length} steps completed`].join("\n"),
    exitCode: exitCodeOf(failed, options.keepsGoing),
  };
}

async function runSteps(
  host: HostConnection,
  clock: Clock,
  steps: readonly BatchStep[],
  options: {
    keepsGoing: boolean;
    signal: AbortSignal;
    /** Rejects with a better reason for this failure, if there is one. */
    explain(error: unknown): Promise<void>;
  },
): Promise<BatchRecord[]> {
  const records: BatchRecord[] = [];
  let baseline: number | null = null;
  let hasStopped = false;
  for (const [index, step] of steps.entries()) {
    const startedMs = clock.monotonicMs();
    const record = (status: BatchRecord["status"], fields: Record<string, unknown>): void => {
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      records.push({ index, kind: step.kind, status, durationMs, ...fields });
    };
    if (hasStopped || options.signal.aborted) {
      record("not-run", {});
      continue;
    }
    try {
      const end: StepEnd = await runStep(host, step, baseline, options.signal).catch(
        async (error: unknown) => {
          await options.explain(error);
          throw error;
        },
      );
      baseline = end.baseline ?? baseline;
      record("completed", end.fields);
    } catch (error) {
      record(options.signal.aborted ? "interrupted" : "failed", { error: errorDocument(error) });
      hasStopped = !options.keepsGoing;
    }
  }
  return records;
}

async function runStep(
  host: HostConnection,
  step: BatchStep,
  baseline: number | null,
  signal: AbortSignal,
): Promise<StepEnd> {
  switch (step.kind) {
    case "type":
    case "paste":
      return typed(await host.call({ method: step.kind, text: step.text }, signal));
    case "sendKeys":
      return typed(await host.call({ method: "send-keys", keys: step.keys }, signal));
    case "run": {
      const { commandLine, timeoutMs, waits } = step;
      const reply = await host.call({ method: "run", commandLine, timeoutMs, waits }, signal);
      if (reply.type === "timed-out")
        throw timedOut(`the end of the command was not seen within ${timeoutMs} ms`, reply.visibleText);
      if (reply.type === "interrupted")
        throw over("the Session exited before the end of the command was seen", { exit: reply.exit });
      const fields = runResult(reply);
      return {
        fields: { ...fields, noWait: !waits, runOutcome: reply.type },
        baseline: Number(fields["seq"]),
      };
    }
    case "wait": {
      const anchored = baseline === null ? {} : { afterSeq: baseline };
      const condition = { ...step.condition, ...anchored };
      const { timeoutMs } = step;
      const call = { method: "wait", condition, idleMs: null, exit: false, timeoutMs } as const;
      const reply = await host.call(call, signal);
      if (reply.type === "timed-out")
        throw timedOut(`the wait did not match within ${step.timeoutMs} ms`, reply.visibleText);
      if (reply.type === "interrupted") throw over(reasonOf(reply.exit), { exit: reply.exit });
      const { matchedText, capturedAtSeq, screenHash } = reply;
      return {
        fields: {
          matched: true,
          timedOut: false,
          matchedText,
          capturedAtSeq,
          screenHash,
          waitBaseline: baseline,
        },
        baseline: null,
      };
    }
    default:
      return step satisfies never;
  }
}

function typed({ seq }: { seq: number }): StepEnd {
  return { fields: { seq }, baseline: seq };
}

function timedOut(message: string, visibleText: string): Error {
  return new OperationalError({
    code: "WAIT_TIMED_OUT",
    message,
    remedy: "Look at the screen and raise the timeout",
    details: { visibleText },
  });
}

function over(message: string, details: Readonly<Record<string, unknown>>): Error {
  return new OperationalError({
    code: "SESSION_NOT_RUNNING",
    message,
    remedy: "Create a new Session",
    details,
  });
}

function exitCodeOf(failed: readonly BatchRecord[], keepsGoing: boolean): number {
  const [first] = failed;
  if (first === undefined) return 0;
  return keepsGoing ? KEPT_GOING_EXIT_CODE : policyOf((first["error"] as { code: string }).code).exitCode;
}
