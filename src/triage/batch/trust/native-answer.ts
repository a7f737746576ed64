import { messageOf } from "agent-tty/kit";
import { issueKey, type IssueRef, type IssueSuggestion, type Person } from "../../../github/index.ts";
import { factsOfType, type TrustFact, type TrustFactOf } from "../../../trust/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchTrust } from "../batch-trust.ts";
import type { BatchSettings } from "../settings.ts";
import { factOf } from "./act-fact.ts";
import { suggestionAct } from "./find-acts.ts";

interface SuggestionLookup {
  trust: BatchTrust;
  viewer: Person;
  ports: Pick<BatchPorts, "suggestions">;
  stop: AbortSignal;
}

/** The places where people's answers to a proposal are found and recorded. */
export interface AnswerDeps extends SuggestionLookup {
  settings: Pick<BatchSettings, "labels">;
  ports: Pick<BatchPorts, "suggestions" | "observe">;
}

/**
 * Returns people's answer to a proposal that was made by suggesting its state label, and records it as an observation (E3). An
 * approved label says nothing about a close, so it does not accept a proposal to close. If GitHub fails here, it only reports a
 * warning, and the next batch asks again.
 */
export async function nativeAnswer(
  ref: IssueRef,
  runId: string,
  context: AnswerDeps,
): Promise<"accepted" | "rejected" | "none"> {
  const { trust, viewer, settings, ports, stop } = context;
  const decided = factsOfType(trust.facts(ref.repo), "decided").find(
    (fact) => fact.number === ref.number && fact.runId === runId,
  );
  if (decided === undefined) return "none";
  const known = trust
    .facts(ref.repo)
    .find(
      (fact) =>
        (fact.type === "endorsed" || fact.type === "overridden") &&
        fact.number === ref.number &&
        fact.runId === runId &&
        fact.detail.how.startsWith("suggestion-"),
    );
  if (known !== undefined) return answerOf(known, decided);
  const ours = await suggestionsOf(decided, ref, context).catch((error: unknown) => {
    stop.throwIfAborted();
    const message = `the suggestions of ${issueKey(ref)} were not looked at: ${messageOf(error)}`;
    ports.observe({ type: "warning", message });
    return [];
  });
  const about = { decided, viewerId: viewer.id, labels: settings.labels };
  const act = ours.flatMap((one) => suggestionAct(one, about)).at(-1);
  const fact = act === undefined ? null : await factOf(act, decided, context);
  if (fact === null) return "none";
  trust.record(fact);
  return answerOf(fact, decided);
}

function answerOf(
  { type }: Pick<TrustFact, "type">,
  { detail }: TrustFactOf<"decided">,
): "accepted" | "rejected" | "none" {
  if (type === "overridden") return "rejected";
  return detail.close === null ? "accepted" : "none";
}

/**
 * Returns our own suggestions with people's answers; empty if we made none. GitHub lets only people who may triage answer a
 * suggestion.
 */
export async function suggestionsOf(
  decided: TrustFactOf<"decided">,
  ref: IssueRef,
  { trust, ports, viewer, stop }: SuggestionLookup,
): Promise<IssueSuggestion[]> {
  const made = factsOfType(trust.facts(ref.repo), "suggested").some(
    ({ number, runId, detail }) =>
      number === ref.number && runId === decided.runId && detail.labels.length > 0,
  );
  if (!made || ports.suggestions === undefined) return [];
  const found = (await ports.suggestions.list(ref, "all", stop)) ?? [];
  return found.filter(({ actorId }) => actorId === viewer.id);
}
