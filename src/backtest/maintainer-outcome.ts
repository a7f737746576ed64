import type { Issue, IssueComment, TimelineFact } from "../github/index.ts";
import type { LabelNames } from "../triage/index.ts";
import type { TrustFactOf } from "../trust/index.ts";

/** A maintainer's decision on an issue, in classes that triage can be compared with. */
export const maintainerOutcomes = ["worked-on", "asked", "declined", "duplicate", "unknown"] as const;
export type MaintainerOutcome = (typeof maintainerOutcomes)[number];

export interface MaintainerVerdict {
  outcome: MaintainerOutcome;
  /** The row of the table that decided it. */
  why: TruthRule;
  /** The commit that closed it; null: none is known. */
  fix: { commit: string } | { pull: number } | null;
}

export type TruthRule =
  | "marked-as-duplicate"
  | "duplicate-label"
  | "duplicate-comment"
  | "closed-by-commit"
  | "closed-by-pull-request"
  | "declined-label"
  | "asked-label"
  | "closed-as-not-planned"
  | "corrected-by-maintainer"
  | "nothing-tells";

const DUPLICATE = /^(?:type[:/ ]*|status[:/ ]*|resolution[:/ ]*)?duplicate$/i;
const DECLINED =
  /^(?:type[:/ ]*|status[:/ ]*|resolution[:/ ]*)?(?:wont ?fix|won't ?fix|invalid|not a bug|not-a-bug|works as intended|working as intended|by design|as designed|out of scope|rejected|declined)$/i;
const ASKED =
  /^(?:status[:/ ]*)?(?:needs?[ -](?:more[ -])?(?:info(?:rmation)?|repro(?:duction)?)|awaiting[ -](?:response|feedback|reply)|waiting[ -]for[ -](?:response|feedback|reporter)|more[ -]info(?:rmation)?[ -]needed|cannot[ -]reproduce|can't[ -]reproduce|no[ -]response|question)$/i;

export interface TruthFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  timeline: readonly TimelineFact[];
}

/**
 * Decides what maintainers did with an issue: the first row that fits of the table in docs/backtest.md (E1). Pure. A person's closing
 * words are not interpreted: what labels, state, links and commits do not tell is `unknown`. After an issue was reopened, the
 * close, the pull requests and the words before that count no more, and neither does a label that was taken off again, except one
 * that asked for more.
 */
export function maintainerVerdict(facts: TruthFacts, labels: LabelNames): MaintainerVerdict {
  const { issue, timeline } = facts;
  const isClosedNow = issue.state === "closed";
  const lastClose = timeline.findLast((fact) => fact.type === "closed");
  const last = lastClose !== undefined && isReopenedAfter(lastClose, timeline) ? undefined : lastClose;
  const merged = timeline.filter((fact) => fact.type === "merged-fix");
  const pull = merged.findLast((fact) => !isReopenedAfter(fact, timeline))?.pull ?? null;
  const commit = last?.commit ?? null;
  const fix = commit !== null ? { commit } : pull !== null ? { pull } : null;
  const has = (test: (label: string) => boolean): boolean =>
    issue.labels.some(test) || [...labelsOf(timeline)].some(([label, isOn]) => isOn && test(label));
  const hadEver = (test: (label: string) => boolean): boolean =>
    issue.labels.some(test) || [...labelsOf(timeline).keys()].some(test);
  const isRole = (role: "wontfix" | "needs-info") => (label: string) =>
    label.toLowerCase() === labels[role].toLowerCase();
  const verdict = (outcome: MaintainerOutcome, why: TruthRule): MaintainerVerdict => ({ outcome, why, fix });

  if (issue.stateReason === "duplicate" || isMarkedDuplicate(timeline))
    return verdict("duplicate", "marked-as-duplicate");
  if (has((label) => DUPLICATE.test(label))) return verdict("duplicate", "duplicate-label");
  if (isClosedNow && isSaidDuplicate(facts, last?.at ?? null))
    return verdict("duplicate", "duplicate-comment");
  if (commit !== null) return verdict("worked-on", "closed-by-commit");
  if (pull !== null) return verdict("worked-on", "closed-by-pull-request");
  if (has((label) => DECLINED.test(label) || isRole("wontfix")(label)))
    return verdict("declined", "declined-label");
  if (hadEver((label) => ASKED.test(label) || isRole("needs-info")(label)))
    return verdict("asked", "asked-label");
  if (issue.stateReason === "not_planned") return verdict("declined", "closed-as-not-planned");
  return verdict("unknown", "nothing-tells");
}

/** A reopened issue was not settled by what came before. GitHub's times have seconds. */
function isReopenedAfter({ at }: Pick<TimelineFact, "at">, timeline: readonly TimelineFact[]): boolean {
  return timeline.some((fact) => fact.type === "reopened" && Date.parse(fact.at) > Date.parse(at));
}

/** Every label that the issue ever had, and whether its last event put it on. */
function labelsOf(timeline: readonly TimelineFact[]): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const fact of timeline)
    if (fact.type === "labeled" || fact.type === "unlabeled") found.set(fact.label, fact.type === "labeled");
  return found;
}

/** The last mark counts: people take it back, too. */
function isMarkedDuplicate(timeline: readonly TimelineFact[]): boolean {
  const last = timeline.findLast(
    ({ type }) => type === "marked-as-duplicate" || type === "unmarked-as-duplicate",
  );
  return last?.type === "marked-as-duplicate";
}

/** GitHub's own convention: a comment that begins so marks a duplicate. Only the one who closed it is taken at their word. */
function isSaidDuplicate({ comments, timeline }: TruthFacts, closedAt: string | null): boolean {
  const closer = timeline.findLast((fact) => fact.type === "closed")?.actor?.id ?? null;
  return (
    closedAt !== null &&
    comments.some(
      ({ author, body, isMinimised, createdAt }) =>
        // A hidden comment was taken back, and so was one from before the issue was reopened.
        isMinimised !== true &&
        !isReopenedAfter({ at: createdAt }, timeline) &&
        author !== null &&
        author.id === closer &&
        /^\s*(?:closing as (?:a )?)?duplicate of #\d+/i.test(body),
    )
  );
}

/** Our outcomes in the classes of the maintainers', and two that they have no word for. */
export const ourOutcomes = ["worked-on", "asked", "declined", "duplicate", "undecided"] as const;
export type OurOutcome = (typeof ourOutcomes)[number];

const DECLINING = new Set(["bug-wontfix", "bug-wontfix-uncertain", "enhancement-wontfix"]);
const DUPLICATES = new Set(["possible-duplicate", "proven-duplicate"]);

/** An issue that is proposed to be declined, or called a likely duplicate, counts as that even when a later act decides otherwise. Pure. */
export function ourOutcome({ state, close, policy }: TrustFactOf<"decided">["detail"]): OurOutcome {
  if (close === "duplicate" || policy.some((code) => DUPLICATES.has(code))) return "duplicate";
  if (close !== null || policy.some((code) => DECLINING.has(code))) return "declined";
  switch (state) {
    case "ready-for-agent":
    case "ready-for-human":
      return "worked-on";
    case "needs-info":
      return "asked";
    default:
      return "undecided";
  }
}

/** null: what the maintainers did tells nothing. */
export function isAgreed(ours: OurOutcome, theirs: MaintainerOutcome): boolean | null {
  return theirs === "unknown" ? null : ours === theirs;
}

/** An issue that we would have closed although maintainers worked on it or asked about it. */
export function isFalseClose(close: string | null, theirs: MaintainerOutcome): boolean {
  return close !== null && (theirs === "worked-on" || theirs === "asked");
}
