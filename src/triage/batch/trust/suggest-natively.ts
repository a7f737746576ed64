import { messageOf, OperationalError } from "agent-tty/kit";
import { issueKey, type IssueRef, type LabelSuggestion } from "../../../github/index.ts";
import { factsOfType } from "../../../trust/index.ts";
import type { AuditFact } from "../../audit/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";
import { applyUndo } from "../../publication/index.ts";
import type { BatchContext } from "../batch-context.ts";
import { planSuggestions } from "./plan-suggestions.ts";

/** A proposal whose comment is published. */
export interface StandingProposal {
  ref: IssueRef;
  /** The batch that proposed it. */
  runId: string;
  target: PublicationTarget;
  /** null: it is not known any more. */
  confidence: LabelSuggestion["confidence"];
}

type SuggestionContext = Pick<BatchContext, "settings" | "ports" | "trust" | "audit" | "viewer" | "runId">;

/**
 * Adds GitHub's own suggestions to a proposal, once. The comment already contains the proposal, so a failure here only causes a
 * warning, and a later batch tries again. Asks at most once a day whether a repository has suggestions.
 */
export async function suggestNatively(
  proposal: StandingProposal,
  context: SuggestionContext,
  signal: AbortSignal,
): Promise<void> {
  const { settings, ports } = context;
  const { ref, runId } = proposal;
  const isAdded = factsOfType(context.trust.facts(ref.repo), "suggested").some(
    (fact) => fact.number === ref.number && fact.runId === runId,
  );
  if (!settings.suggestsNatively || ports.suggestions === undefined || isAdded) return;
  // An approved label says nothing about a close.
  if (proposal.target.close !== null) return;
  await context.trust.inTurn(async () => {
    if (isKnownWithout(ref, context)) return;
    try {
      await suggest(proposal, context, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isAnswer = error instanceof OperationalError && typeof error.details["status"] === "number";
      if (isAnswer) return rememberWithout(ref, messageOf(error), context);
      warn(context, ref, `no suggestion was added, and the next batch tries again: ${messageOf(error)}`);
    }
  });
}

async function suggest(
  { ref, runId, target, confidence }: StandingProposal,
  context: SuggestionContext,
  signal: AbortSignal,
): Promise<void> {
  const { settings, ports, trust, audit, viewer } = context;
  const { suggestions } = ports;
  if (suggestions === undefined) return;
  const pending = await suggestions.list(ref, "pending", signal);
  if (pending === null) return rememberWithout(ref, NONE, context);
  const lookup = await ports.reader.issue(ref, signal);
  if (lookup.type === "gone") return;
  const names = settings.labels;
  const plan = { target, issue: lookup.issue, viewerId: viewer.id, names, runId, confidence };
  const labels = planSuggestions({ ...plan, pending });
  if (labels.length > 0) {
    const write = { type: "suggest-labels", labels: labels.map(({ name }) => name) } as const;
    await audit.append("publish", ref, { type: "intended", write });
    const now = await suggestions.suggestLabels(ref, labels, signal);
    if (now === null) return rememberWithout(ref, NONE, context);
    await audit.append("publish", ref, { type: "done", write });
    const before = new Set(lookup.issue.labels.map(lower));
    const put = now.filter(
      (label) => !before.has(lower(label)) && write.labels.map(lower).includes(lower(label)),
    );
    if (put.length > 0) {
      await takeOff(ref, put, context, signal);
      return rememberWithout(
        ref,
        "GitHub put the suggested labels on at once; they were taken off again",
        context,
      );
    }
    // Without the right to triage, GitHub accepts a suggestion and drops it silently.
    const shown = await suggestions.list(ref, "pending", signal);
    if (planSuggestions({ ...plan, pending: shown ?? [] }).length > 0)
      return rememberWithout(
        ref,
        "GitHub took the suggestions and shows none: the credential may not triage here",
        context,
      );
  }
  trust.record({
    type: "suggested",
    key: `suggested:${ref.repo}#${ref.number}:${runId}`,
    ...ref,
    runId,
    atMs: ports.clock.nowMs(),
    detail: { labels: labels.map(({ name }) => name) },
  });
}

const NONE = "this repository has none, or the credential may not use them, so proposals are comments only";

/** Records and reports that suggestions cannot be used; GitHub is asked again on the next day (UTC) at the earliest. */
function rememberWithout(ref: IssueRef, why: string, context: SuggestionContext): void {
  const { key, ...place } = probePlace(ref, context);
  context.trust.record({ type: "probed", key, ...place, detail: { suggestions: false } });
  warn(context, ref, why);
}

/** Removes labels that only people may add. First records each as ours, so that an undo can explain the labels. */
async function takeOff(
  ref: IssueRef,
  labels: readonly string[],
  { audit, ports }: SuggestionContext,
  signal: AbortSignal,
): Promise<void> {
  const record = (fact: AuditFact): Promise<void> => audit.append("publish", ref, fact);
  for (const label of labels) await record({ type: "done", write: { type: "add-label", label } });
  const steps = labels.map((label) => ({ type: "remove-label", label }) as const);
  const { writer, suggestions } = ports;
  await applyUndo(ref, steps, { writer, suggestions, record }, signal);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function isKnownWithout(ref: IssueRef, context: SuggestionContext): boolean {
  const { key } = probePlace(ref, context);
  return factsOfType(context.trust.facts(ref.repo), "probed").some((fact) => fact.key === key);
}

function probePlace({ repo }: IssueRef, { ports, runId }: SuggestionContext) {
  const atMs = ports.clock.nowMs();
  const day = new Date(atMs).toISOString().slice(0, 10);
  return { key: `probed:${repo}:suggestions:${day}`, repo, number: null, runId, atMs };
}

function warn({ ports }: Pick<BatchContext, "ports">, ref: IssueRef, message: string): void {
  ports.observe({ type: "warning", message: `GitHub's own suggestions for ${issueKey(ref)}: ${message}` });
}
