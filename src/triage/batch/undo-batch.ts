import { type Clock, OperationalError, startDeadline } from "agent-tty/kit";
import {
  type GithubReader,
  type GithubSuggestions,
  type GithubWriter,
  issueKey,
  type IssueRef,
  type RepositoryName,
  SWEPT,
} from "../../github/index.ts";
import {
  type AuditEntry,
  type AuditLog,
  auditLogPath,
  createAuditLog,
  readAuditLog,
} from "../audit/index.ts";
import type { Store } from "../../store/index.ts";
import { factsOfType, openTrustLedger, outcomeKinds, type TrustFact } from "../../trust/index.ts";
import { applyUndo } from "../publication/index.ts";
import { hasSuggested, planUndo, type UndoPlan, type UndoStep } from "../plan-undo.ts";
import { describeFailure } from "./failures.ts";
import type { TriageErrorCode } from "./triage-error.ts";
import { untilGithubAnswers } from "./until-github-answers.ts";

export interface UndoRequest {
  runId: string;
  /** Only these issues; null: every issue that the batch wrote to. */
  issues: readonly number[] | null;
  /** Whether to plan only, without writing anything. */
  dryRun: boolean;
}

export interface UndoPorts {
  reader: GithubReader;
  writer: GithubWriter;
  suggestions?: GithubSuggestions;
  runsDirectory: string;
  /** Knows the batch's issues, and keeps that people took outcomes back. */
  store: Pick<Store, "recordTrustFact" | "trustFacts" | "runsOfBatch">;
  clock: Clock;
  /** Called once for each issue, when it is done. */
  observe: (undone: UndoneIssue) => void;
}

export interface UndoneIssue {
  repo: RepositoryName;
  number: number;
  status: "undone" | "planned" | "nothing-to-undo" | "skipped" | "failed";
  /** A stable kebab-case code when skipped; null otherwise. */
  reason: string | null;
  steps: readonly UndoStep[];
  error: { code: string; message: string; remedy: string } | null;
}

/**
 * Reverts what one batch wrote, issue by issue, from its audit log, and only where nothing has changed since (T10). After an
 * interruption, the same call completes the undo. Rejects when the batch has no audit log, or a damaged one, or when it never
 * looked at one of the named issues.
 */
export async function undoBatch(
  request: UndoRequest,
  ports: UndoPorts,
  signal: AbortSignal,
): Promise<UndoneIssue[]> {
  const path = auditLogPath(ports.runsDirectory, request.runId);
  const entries = await readAuditLog(path);
  if (entries.length === 0) throw nothingRecorded(request.runId, path);
  refuseForeignIssues(request, entries, ports);
  const audit = createAuditLog(path, ports.clock);
  const { id: viewerId } = await ports.reader.viewer(signal);
  const undone: UndoneIssue[] = [];
  for (const [ref, own] of byIssue(entries, request.issues)) {
    const one = await undoIssue(ref, own, { ...request, viewerId }, { ...ports, audit }, signal);
    ports.observe(one);
    undone.push(one);
    if (one.status === "undone") noteUndone(one, entries, request.runId, ports);
  }
  if (!request.dryRun && request.issues === null) vetoMoves(entries, request.runId, ports);
  return undone;
}

/** Records that an undone outcome was not accepted (E3). */
function noteUndone(
  { repo, number }: UndoneIssue,
  entries: readonly AuditEntry[],
  runId: string,
  { store, clock }: UndoPorts,
): void {
  const atMs = clock.nowMs();
  const ledger = openTrustLedger(store);
  const own = entries.filter((entry) => entry.repo === repo && entry.number === number);
  const [first] = own;
  ledger.record({
    type: "overridden",
    key: `undone:${repo}#${number}:${runId}`,
    repo,
    number,
    runId: decidingRun(own, ledger.ofIssue(repo, number), runId),
    atMs,
    detail: {
      how: "undone",
      to: null,
      by: OPERATOR,
      source: `afk-triage undo --run ${runId}`,
      afterMs: Math.max(0, atMs - Date.parse(first?.at ?? "")),
    },
  });
}

/**
 * Returns the batch that decided what the batch `runId` wrote: a repair, such as that of an accepted proposal, applies the
 * outcome of an earlier batch. A sweep decides no outcome.
 */
function decidingRun(entries: readonly AuditEntry[], facts: readonly TrustFact[], runId: string): string {
  if (entries.some(({ fact }) => fact.type === "decided" && fact.outcome === SWEPT)) return runId;
  const decided = factsOfType(facts, "decided").findLast((fact) => fact.runId <= runId);
  return decided?.runId ?? runId;
}

/** Vetoes every change of autonomy in an undone batch: the level goes back, and stays there until a person releases it (E4). */
function vetoMoves(entries: readonly AuditEntry[], runId: string, { store, clock }: UndoPorts): void {
  for (const { repo, fact } of entries) {
    const kind = fact.type === "autonomy-moved" ? outcomeKinds.find((each) => each === fact.kind) : undefined;
    if (kind === undefined) continue;
    openTrustLedger(store).record({
      type: "vetoed",
      key: `vetoed:${repo}:${kind}:${runId}`,
      repo,
      number: null,
      runId,
      atMs: clock.nowMs(),
      detail: { kind, by: `undo of ${runId}` },
    });
  }
}

/** The person at this machine, who has no GitHub account here. */
const OPERATOR = { id: 0, login: "operator", permission: "operator" };

function byIssue(entries: readonly AuditEntry[], only: readonly number[] | null): [IssueRef, AuditEntry[]][] {
  const issues = new Map<string, [IssueRef, AuditEntry[]]>();
  for (const entry of entries) {
    if (entry.action === "autonomy") continue;
    if (only !== null && !only.includes(entry.number)) continue;
    const ref = { repo: entry.repo as RepositoryName, number: entry.number };
    const known = issues.get(issueKey(ref));
    if (known === undefined) issues.set(issueKey(ref), [ref, [entry]]);
    else known[1].push(entry);
  }
  return [...issues.values()].toSorted(
    ([one], [other]) => one.repo.localeCompare(other.repo) || one.number - other.number,
  );
}

async function undoIssue(
  ref: IssueRef,
  entries: readonly AuditEntry[],
  { runId, dryRun, viewerId }: UndoRequest & { viewerId: number },
  ports: UndoPorts & { audit: AuditLog },
  signal: AbortSignal,
): Promise<UndoneIssue> {
  const result = (facts: Partial<UndoneIssue> & Pick<UndoneIssue, "status">): UndoneIssue => ({
    ...ref,
    reason: null,
    steps: [],
    error: null,
    ...facts,
  });
  const known = [...entries];
  const record = async (fact: AuditEntry["fact"]): Promise<void> => {
    await ports.audit.append("undo", ref, fact);
    const [first] = entries;
    if (first !== undefined) known.push({ ...first, action: "undo", fact });
  };
  let begun: readonly UndoStep[] | null = null;
  const attempt = async (): Promise<UndoneIssue> => {
    const lookup = await ports.reader.issue(ref, signal);
    if (lookup.type === "gone") return result({ status: "skipped", reason: `issue-${lookup.reason}` });
    const { issue } = lookup;
    const comments = await ports.reader.comments(ref, signal);
    const pending = hasSuggested(entries) ? await ports.suggestions?.list(ref, "pending", signal) : null;
    const suggestions = (pending ?? []).filter(({ actorId }) => actorId === viewerId);
    const plan: UndoPlan = planUndo({ runId, viewerId, entries: known, issue, comments, suggestions });
    if (plan.type === "refused") return result({ status: "skipped", reason: plan.reason });
    if (plan.type === "nothing-to-undo")
      return begun === null ? result({ status: plan.type }) : result({ status: "undone", steps: begun });
    if (dryRun) return result({ status: "planned", steps: plan.steps });
    begun ??= plan.steps;
    const { writer, suggestions: suggester } = ports;
    await applyUndo(ref, plan.steps, { writer, suggestions: suggester, record }, signal);
    return result({ status: "undone", steps: begun });
  };
  try {
    return await patiently(attempt, ref, ports, signal);
  } catch (error) {
    signal.throwIfAborted();
    return result({ status: "failed", error: describeFailure(error) });
  }
}

/** How long the undo of one issue waits for GitHub. */
const PATIENCE_MS = 10 * 60_000;

async function patiently(
  attempt: () => Promise<UndoneIssue>,
  ref: IssueRef,
  { clock }: Pick<UndoPorts, "clock">,
  signal: AbortSignal,
): Promise<UndoneIssue> {
  using deadline = startDeadline(clock, `undoing the writes to ${issueKey(ref)}`, PATIENCE_MS, signal);
  return await untilGithubAnswers(attempt, {
    clock,
    patienceMs: PATIENCE_MS,
    signal: deadline.signal,
    warn: () => undefined,
  });
}

/**
 * Throws RUN_NOT_FOUND if a named issue is none of the batch's, because a mistyped number must not pass for an issue that is
 * already undone.
 */
function refuseForeignIssues(
  { runId, issues }: UndoRequest,
  entries: readonly AuditEntry[],
  { store }: UndoPorts,
): void {
  if (issues === null) return;
  const known = new Set([...entries, ...store.runsOfBatch(runId)].map(({ number }) => number));
  const foreign = issues.filter((number) => !known.has(number));
  if (foreign.length === 0) return;
  throw new OperationalError<TriageErrorCode>({
    code: "RUN_NOT_FOUND",
    message: `undo ${foreign.map((number) => `#${number}`).join(", ")} of the Triage Batch ${runId}: the batch has no such issue`,
    remedy: "See `afk-triage list` for the batch of each issue, or leave --issue out.",
  });
}

function nothingRecorded(runId: string, path: string): OperationalError<TriageErrorCode> {
  return new OperationalError({
    code: "AUDIT_LOG_MISSING",
    message: `undo the Triage Batch ${runId}: ${path} does not exist or records nothing`,
    remedy:
      "Check the run id (`afk-triage list`) and the home: only the home that ran the batch can undo it.",
  });
}
