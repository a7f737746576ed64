import { judgedOutcomes, type JudgedOutcome } from "./autonomy/index.ts";
import { groupedBy } from "./grouped-by.ts";
import { median } from "./median.ts";
import { factsOfType, outcomeKey, type TrustFact } from "./trust-fact.ts";
import { type Interval, wilsonInterval } from "./wilson.ts";

/** The ways to group outcomes; `all` is one group. */
export const evaluationGroups = ["all", "week", "kind", "model", "prompt"] as const;
export type EvaluationGroup = (typeof evaluationGroups)[number];

export interface EvaluationRow {
  /** The value of the group: the Monday of the week, the kind, the model or the prompt's digest. */
  value: string;
  decided: number;
  judged: number;
  accepted: number;
  /** The share of accepted outcomes among the judged ones; null if there are none. */
  acceptance: (Interval & { rate: number }) | null;
  /** All overridden outcomes; an outcome whose issue was reopened counts here and in `reopened`. */
  overridden: number;
  reopened: number;
  /** The median time until the reporter's first reply, in milliseconds; null: there was no reply. */
  medianReplyMs: number | null;
  usd: number;
  usdPerAccepted: number | null;
}

/** `afk-triage/evaluation@1` */
export interface Evaluation {
  schema: "afk-triage/evaluation@1";
  groups: Readonly<Record<EvaluationGroup, readonly EvaluationRow[]>>;
  /** How often outcomes of each confidence were accepted. */
  calibration: readonly EvaluationRow[];
}

/** E5: evaluates how the outcomes of a home were received. Pure. */
export function evaluate(facts: readonly TrustFact[]): Evaluation {
  const outcomes = judgedOutcomes(facts);
  const byOutcome = groupedBy(facts, outcomeKey);
  const of = (valueOf: (outcome: JudgedOutcome) => string): EvaluationRow[] =>
    [...groupedBy(outcomes, valueOf)]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([value, members]) => rowOf(value, members, byOutcome));
  return {
    schema: "afk-triage/evaluation@1",
    groups: {
      all: of(() => "all"),
      week: of(({ decided }) => mondayOf(decided.atMs)),
      kind: of(({ decided }) => decided.detail.kind),
      model: of(({ decided }) => decided.detail.model),
      prompt: of(({ decided }) => decided.detail.prompt),
    },
    calibration: of(({ decided }) => decided.detail.confidence ?? "none"),
  };
}

function rowOf(
  value: string,
  members: readonly JudgedOutcome[],
  byOutcome: ReadonlyMap<string, readonly TrustFact[]>,
): EvaluationRow {
  const own = new Set(members.map(({ decided }) => outcomeKey(decided)));
  const about = [...own].flatMap((key) => byOutcome.get(key) ?? []);
  const count = (judgement: JudgedOutcome["judgement"]): number =>
    members.filter((member) => member.judgement === judgement).length;
  const [accepted, overridden] = [count("accepted"), count("overridden")];
  const judged = accepted + overridden;
  const usd = members.reduce((sum, { decided }) => sum + decided.detail.usd, 0);
  const reopens = factsOfType(about, "overridden").filter(({ detail }) => detail.how === "reopened");
  return {
    value,
    decided: members.length,
    judged,
    accepted,
    acceptance: judged === 0 ? null : { rate: accepted / judged, ...wilsonInterval(accepted, judged) },
    overridden,
    reopened: new Set(reopens.map(outcomeKey)).size,
    medianReplyMs: median(factsOfType(about, "replied").map(({ detail }) => detail.afterMs)),
    usd,
    usdPerAccepted: accepted === 0 ? null : usd / accepted,
  };
}

/** Returns the Monday of the week as `YYYY-MM-DD` in UTC. */
function mondayOf(atMs: number): string {
  const day = new Date(atMs);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return new Date(atMs - sinceMonday * 24 * 3_600_000).toISOString().slice(0, 10);
}
