import { type Clock, type Ids, OperationalError } from "agent-tty/kit";

/**
 * How a failed step may be retried in another Coder workspace; the provider sets this in its own failures. `after-pause`: other
 * creates wait for the same check of the deployment, so that an immediate retry would only wait again.
 */
export type RetryKind = "fresh-workspace" | "after-pause";

/** The maximum number of attempts, including the first, for each kind of failure. */
const ATTEMPTS: Readonly<Record<RetryKind, number>> = { "fresh-workspace": 2, "after-pause": 6 };
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export interface Retry {
  kind: RetryKind;
  /** The pause before jitter, in milliseconds. */
  pauseMs: number;
}

/**
 * Returns the next retry of a failed step, or null if it is not retried. Pure. `before` are the retries that this step has had.
 */
export function planRetry(failure: unknown, before: readonly RetryKind[]): Retry | null {
  const kind = retryKind(failure);
  if (kind === null) return null;
  const made = before.filter((each) => each === kind).length;
  if (made + 1 >= ATTEMPTS[kind]) return null;
  const pauseMs = kind === "after-pause" ? Math.min(FIRST_PAUSE_MS * 2 ** made, LONGEST_PAUSE_MS) : 0;
  return { kind, pauseMs };
}

/** Waits between 0.5 and 1.5 times the pause, so that parents that failed together do not retry together. */
export async function pauseBeforeRetry(
  { pauseMs }: Retry,
  { clock, ids }: { clock: Clock; ids: Ids },
  signal: AbortSignal,
): Promise<void> {
  if (pauseMs === 0) return;
  await clock.sleep(Math.round(pauseMs * (0.5 + Number.parseInt(ids.hex(1), 16) / 255)), signal);
}

function retryKind(failure: unknown): RetryKind | null {
  const retry = failure instanceof OperationalError ? failure.details["retry"] : null;
  return retry === "fresh-workspace" || retry === "after-pause" ? retry : null;
}

/** Failures that every further Triage Run of the batch would have, too, so that no more are started. */
const HALTING: Readonly<Record<string, string>> = {
  WORKSPACE_QUOTA: "workspace-quota",
  CODER_LOGGED_OUT: "coder-logged-out",
  GITHUB_TOKEN_REJECTED: "github-token-rejected",
  CODER_EXTERNAL_AUTH_MISSING: "coder-external-auth-missing",
  CODER_FORBIDDEN: "coder-forbidden",
  CODER_PRESET_MISSING: "coder-preset-missing",
  CODER_PARAMETER_REJECTED: "coder-parameter-rejected",
};

/** The code of the failure with which a Triage Run ended, or null. */
type Ended = { code: string } | null;

/**
 * Returns why no further Triage Run is admitted after these ends, which are in order, oldest first; null when the next run may
 * succeed. Pure. Only the Triage Agent's own output says that the model's budget is spent, and an issue can cause that output, so
 * a batch halts only after two of these runs in a row.
 */
export function haltReason(ended: readonly Ended[]): string | null {
  const last = ended.at(-1) ?? null;
  if (last === null) return null;
  const isSpent = ended.slice(-2).filter((each) => each?.code === "MODEL_BUDGET_SPENT").length === 2;
  return isSpent ? "model-budget-spent" : (HALTING[last.code] ?? null);
}

const NOT_THE_ISSUES: ReadonlySet<string> = new Set([
  "WORKSPACE_QUOTA",
  "WORKSPACE_QUOTA_BUSY",
  "MODEL_BUDGET_SPENT",
]);

/** Returns whether a quota or budget was used up. That says nothing about the issue, so a later batch triages it. */
export function isNotTheIssuesFault(failure: unknown): boolean {
  return failure instanceof OperationalError && NOT_THE_ISSUES.has(failure.code);
}
