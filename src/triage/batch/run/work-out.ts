import { OperationalError, startDeadline } from "agent-tty/kit";
import { isOutOfTime, scriptHash } from "../../../evidence/index.ts";
import { plainText, redactSecretsIn } from "../../../github/index.ts";
import type { CoderWorkspace } from "../../../workspaces/index.ts";
import { joinDenied } from "../../denied-requests.ts";
import { writtenOutcome } from "../../outcome.ts";
import { type ParsedOutcome, parseOutcome } from "../../outcome-reader/index.ts";
import { findInOutcome } from "../../quarantine/index.ts";
import {
  conflictingLabels,
  decideConflictingLabels,
  decideSecurityReport,
  type Decision,
  type DuplicateFinding,
  mayBeFixed,
  needsVerification,
  proposesSecurityReport,
  type PolicyCode,
} from "../../policy/index.ts";
import type { ToldUsage, TriageAgentEnd } from "../../triage-agent.ts";
import type { Verification } from "../../verification.ts";
import type { BatchContext } from "../batch-context.ts";
import { type CheckoutSource, checkoutSource } from "../session/index.ts";
import { triageFileContents, triageFiles } from "./control-files.ts";
import { decideDelivered } from "./decide-delivered.ts";
import { checkpointDelivery, type Delivery, resumeDelivery } from "./delivery.ts";
import { addTold, type Metered, meteredUsage, nothingSpent } from "./metered-usage.ts";
import { readFirewallLog, readOutcomeAndHarvest, withholdEvidence } from "../evidence/index.ts";
import { offerDuplicates, recordDuplicate } from "../duplicates/index.ts";
import { type Claimed, holdPlace, type PlaceRequest, runVerification } from "../verification/index.ts";
import { runThroughLoss } from "./run-through-loss.ts";
import { REPEATS, type RunInHand, type RunPatience } from "../run-in-hand.ts";
import type { RunRecord } from "../run-record.ts";
import { isSecurityReport } from "../screen-issue.ts";
import { startStageTimer } from "../stage-times.ts";
import type { AssessedIssue } from "../candidate.ts";
import type { TriageErrorCode } from "../triage-error.ts";

/**
 * The deadline for reading the outcome. It is separate from the run deadline, because the outcome of a Triage Agent that used up
 * its time, and more time to be stopped, still counts (ADR 9).
 */
const OUTCOME_DEADLINE_MS = 60_000;

/** The end of a stopped Triage Run waits no longer than this for what the AI Gateway counted. */
const METER_PATIENCE_MS = 5_000;

/** Works on the locked issue and returns a decision: Triage Agent, outcome, the parent's own verification, policy. */
export async function workOut(
  fresh: AssessedIssue,
  workspace: CoderWorkspace,
  record: RunRecord,
  context: BatchContext,
  patience: RunPatience,
): Promise<Decision> {
  const { issue } = fresh;
  const conflict = conflictingLabels(issue.labels, context.settings.labels);
  if (conflict !== null) return decideConflictingLabels(conflict);
  // The reporter may have written a vulnerability report since the issue was selected (S16).
  if (isSecurityReport(fresh)) return decideSecurityReport();

  const run = await takeInHand(fresh, workspace, record, context, patience);
  const { parsed, end, offered, verification } = await examineByTriageAgent(workspace, run);
  if (parsed.type === "valid") record.confidence = parsed.outcome.confidence;
  const closesProven = context.settings.duplicates.close;
  const decision = decideDelivered(fresh, parsed, verification, { offered, closesProven });
  if (parsed.type === "valid") await recordDuplicate(issue, findingOf(decision), offered, context);
  if (decision.policy.includes("security-report")) await withholdEvidence(issue.ref, record, context);
  // What was paid for is kept, even when the cost limit of the Triage Run is reached (T9).
  const spent: PolicyCode[] = end === "over-budget" ? ["run-budget-spent"] : [];
  return { ...decision, policy: [...decision.policy, ...spent] };
}

function findingOf({ comment }: Decision): DuplicateFinding | null {
  if (comment.template === "conflicting-labels") return null;
  if (comment.template !== "ready-for-human") return comment.findings?.duplicate ?? null;
  return "findings" in comment.why ? comment.why.findings.duplicate : null;
}

/** Waits until the Coder workspace (the lock) is ready, and gathers the facts that the steps of one Triage Run share. */
export async function takeInHand(
  fresh: AssessedIssue,
  workspace: CoderWorkspace,
  record: RunRecord,
  context: BatchContext,
  patience: RunPatience,
): Promise<RunInHand> {
  const timer = startStageTimer(context.ports.clock);
  const ready = await record.timed("provisionMs", () =>
    workspace.ready(patience.signal, (phase) => {
      timer.enter(phase);
      record.phase("creating", phase);
    }),
  );
  const { name, origin } = workspace;
  const { ref } = fresh.issue;
  context.ports.observe({ type: "workspace-ready", ref, name, origin, stages: timer.finish() });
  for (const message of ready.warnings) context.ports.observe({ type: "warning", message });
  const files = triageFiles(ready.directory);
  return { fresh, ready, files, controlFiles: [], offered: [], record, context, patience };
}

/** A Triage Agent's result, with the parent's own verification of it. */
export interface Examined extends Delivery {
  verification: Verification;
}

/** Continues from the checkpoint if there is one (T9); otherwise a Triage Agent works on the issue. */
export async function examineByTriageAgent(workspace: CoderWorkspace, inHand: RunInHand): Promise<Examined> {
  const { fresh, ready, files, record, context, patience } = inHand;
  const resumed = await resumeDelivery(fresh, record, context);
  const offered = resumed?.offered ?? (await offerDuplicates(fresh.issue, context, patience.signal));
  const controlFiles = await triageFileContents(fresh, files, offered, context.ports.ids);
  const run = { ...inHand, offered, controlFiles };
  if (resumed === null) {
    record.phase("preparing");
    const issueFile = controlFiles.find(({ path }) => path === files.issue);
    if (issueFile !== undefined) await record.keepIssue(issueFile.text);
  }
  const source = await checkoutSource(fresh.issue.ref, ready, context, patience.signal);
  const delivery = resumed ?? (await deliver(run, source, workspace));
  const lock: Lock = { lock: workspace, hadTriageAgent: resumed === null };
  return { ...delivery, verification: await verifyDelivered(delivery, lock, run) };
}

/** The Coder workspace of the lock, and whether a Triage Agent was in it. */
type Lock = Pick<PlaceRequest, "lock" | "hadTriageAgent">;

async function verifyDelivered(delivery: Delivery, lock: Lock, run: RunInHand): Promise<Verification> {
  const { parsed, scriptHash: proposed } = delivery;
  if (parsed.type === "invalid") return { type: "not-attempted" };
  const { record } = run;
  const { outcome } = parsed;
  record.noteArtifacts({
    outcome: await record.keep(
      "outcome.json",
      JSON.stringify(redactSecretsIn(writtenOutcome(outcome)), null, 2),
    ),
  });
  // If the outcome itself says that the bug is a vulnerability (S16), the reproduction is not run again, so that there is nothing
  // more to withhold.
  const isFixSearched = run.context.settings.reproduction.rangeMs !== null && mayBeFixed(outcome);
  const isRun = (needsVerification(outcome) || isFixSearched) && !proposesSecurityReport(outcome);
  const { reproduction, duplicateOf } = outcome;
  return isRun && reproduction !== null
    ? verifyInPlace({ reproduction, duplicateOf, scriptHash: proposed }, lock, run)
    : { type: "not-attempted" };
}

/**
 * Verifies the reproduction in a checkout of its own, because nothing of the Triage Agent's Coder workspace may be used (V1).
 * `attempt` counts the reproductions that were verified in the same Coder workspace before; each has its own directory. If a
 * Triage Agent has used a part of the run deadline, a reproduction that is too slow for the rest fails the Triage Run, and the
 * next one continues from the checkpoint with the whole deadline. If the whole deadline is too short, no further Triage Run can
 * do better, so this one concludes that the verification is impossible.
 */
export async function verifyInPlace(
  claimed: Claimed,
  lock: Lock,
  run: RunInHand,
  attempt = 0,
): Promise<Verification> {
  const { fresh, record, context, patience } = run;
  const { ref } = fresh.issue;
  record.phase("verifying", "its place");
  return holdPlace({ ...run, ...lock, ref, signal: patience.signal }, async (placed) => {
    const source = await checkoutSource(ref, placed(0).workspace, context, patience.signal);
    return record.timed("verifyMs", () =>
      runVerification(claimed, source, (repeat, version) => placed(attempt * REPEATS + repeat, version), run),
    );
  }).catch((error: unknown): Verification => {
    if (lock.hadTriageAgent || !isOutOfTime(error)) throw error;
    return { type: "impossible", reason: error.message };
  });
}

/**
 * Runs the Triage Agent and keeps its result as a checkpoint as soon as it is read. The usage of every run counts, also that of a
 * stopped run (T9), which is asked of the gateway when the Coder workspace is deleted.
 */
async function deliver(run: RunInHand, source: CheckoutSource, workspace: CoderWorkspace): Promise<Delivery> {
  const { fresh, record, context } = run;
  const startedAtMs = context.ports.clock.nowMs();
  let spent = nothingSpent;
  const onUsage = (told: ToldUsage): void => {
    spent = addTold(spent, told);
    record.note({ usage: spent.usage, modelSessions: spent.modelSessions });
  };
  const meter = (signal?: AbortSignal): Promise<Metered> => meteredUsage(spent, startedAtMs, context, signal);
  const end = await runThroughLoss(run, source, workspace, onUsage).catch((error: unknown) => {
    record.afterDestroy(async () => {
      using patience = startDeadline(context.ports.clock, "reading the AI Gateway", METER_PATIENCE_MS);
      record.note({ usage: (await meter(patience.signal)).usage });
    });
    throw error;
  });
  const metered = await meter();
  const deniedRequests = joinDenied(await readFirewallLog(run), metered.deniedRequests);
  const hit = context.ports.canaries.find(deniedRequests?.hosts.join("\n") ?? "");
  if (hit !== null) record.leaked(hit, "a request that the Agent Firewall denied");
  record.note({ usage: metered.usage, deniedRequests: hit === null ? deniedRequests : null });
  const parsed = await readOutcome(end, run);
  const script = parsed.type === "valid" ? (parsed.outcome.reproduction?.script ?? null) : null;
  const proposed = script === null ? null : scriptHash(script);
  const delivery: Delivery = { end: end.type, parsed, offered: run.offered, scriptHash: proposed };
  await checkpointDelivery(delivery, fresh, record, context);
  return delivery;
}

/**
 * Reads the outcome file. If a Triage Agent finished without a valid outcome, that is its result, and the issue gets notes (A31).
 * If it crashed, hangs at a login or was cut off by a lost Session, that says nothing about the issue, and the run fails.
 */
async function readOutcome(end: TriageAgentEnd, run: RunInHand): Promise<ParsedOutcome> {
  const { fresh, context, record } = run;
  const { clock } = context.ports;
  using deadline = startDeadline(clock, "reading the outcome file", OUTCOME_DEADLINE_MS, context.stop);
  const file = await readOutcomeAndHarvest(run, deadline.signal);
  record.throwIfLeaked();
  switch (file.type) {
    case "content": {
      const hit = findInOutcome(file.bytes, context.ports.canaries);
      if (hit !== null) record.leaked(hit, "its outcome file");
      record.throwIfLeaked();
      return parseOutcome(file.bytes, fresh.issue.ref.number);
    }
    case "missing":
      failWithoutOutcome(end);
      return invalid(withoutResult(end));
    case "not-regular":
    case "too-large":
    case "unreadable":
      return invalid(`Its result could not be read: ${file.type}.`);
    case "transport-lost":
      throw new OperationalError<TriageErrorCode>({
        code: "TRIAGE_AGENT_LOST",
        message: `read the outcome file: the connection to the Coder workspace failed: ${file.message}`,
        remedy: "Nothing was published; the next batch tries the issue again.",
      });
  }
}

function withoutResult(end: TriageAgentEnd): string {
  if (end.type === "timed-out") return "The Triage Agent reached no result within its time limit.";
  return end.type === "over-budget"
    ? "The Triage Agent reached no result within its budget."
    : "The Triage Agent ended without a result.";
}

function failWithoutOutcome(end: TriageAgentEnd): void {
  switch (end.type) {
    case "finished":
      if (isBudgetRefusal(end.problem)) throw budgetSpent(end.problem ?? "");
      if (end.exitCode === 0 && end.problem === undefined) return;
      throw new OperationalError<TriageErrorCode>({
        code: "TRIAGE_AGENT_FAILED",
        message: `run the Triage Agent: it exited with code ${end.exitCode} and left no outcome file${saidOf(end.problem)}`,
        remedy:
          "Look at the recording for its last output (credentials, network, a crash); nothing was published.",
      });
    case "timed-out":
    case "over-budget":
      return;
    case "blocked":
      throw blocked(end);
    case "interrupted":
      throw new OperationalError<TriageErrorCode>({
        code: "TRIAGE_AGENT_LOST",
        message: `run the Triage Agent: its Session ended (${JSON.stringify(end.exit)}) before the Triage Agent had finished`,
        remedy: "Nothing was published; the next batch tries the issue again.",
      });
  }
}

function saidOf(problem: string | undefined): string {
  return problem === undefined ? "" : `; it said: ${plainText(problem)}`;
}

/**
 * Returns whether a gateway refused the request because of its budget. A gateway such as Coder's AI Gateway answers 403 to every
 * request once a budget is spent, and names the budget.
 */
function isBudgetRefusal(problem: string | undefined): boolean {
  return (
    problem !== undefined && /\b403\b/.test(problem) && /\bbudget\b|\bspend(?:ing)? limit\b/i.test(problem)
  );
}

function budgetSpent(problem: string): OperationalError<TriageErrorCode> {
  return new OperationalError({
    code: "MODEL_BUDGET_SPENT",
    message: `run the Triage Agent: the model's budget is spent: ${plainText(problem)}`,
    remedy:
      "Raise the budget at the gateway or vendor of the model, or wait until it is renewed. Nothing was published; a later batch takes the issue.",
  });
}

function blocked({
  cause,
  reason,
  visibleText,
}: Extract<TriageAgentEnd, { type: "blocked" }>): OperationalError<TriageErrorCode> {
  const message = `run the Triage Agent: it waits at ${reason}. Screen:\n${visibleText}`;
  return cause === "unknown-dialog"
    ? new OperationalError<TriageErrorCode>({
        code: "TRIAGE_AGENT_DIALOG_UNKNOWN",
        message,
        remedy:
          "No key was pressed and nothing was published. Install a version that `afk-triage doctor` calls tested in the Coder workspace template, or set triageAgent.mode to print; until the version changes, no batch starts this Triage Agent on the issue again unless --issue names it.",
      })
    : new OperationalError<TriageErrorCode>({
        code: "TRIAGE_AGENT_BLOCKED",
        message,
        remedy:
          "Give the Triage Agent its credentials in the Coder workspace template; nothing was published.",
      });
}

function invalid(message: string): ParsedOutcome {
  return { type: "invalid", problem: { code: "incomplete", message }, text: "" };
}
