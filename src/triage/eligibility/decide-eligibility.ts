import type { Issue, IssueComment, LabelEvent, TriageNotes } from "../../github/index.ts";
import type { LabelNames } from "../labels.ts";
import { stateRoles } from "../policy/index.ts";
import { planRepair, publicationTarget } from "../publication/index.ts";
import { type Activity, hasActivitySince, isCloseAnswered } from "./activity.ts";
import { areRolesChangedSince } from "./role-changes.ts";

/** The verdict with a stable reason, which every issue that is read gets (T1). */
export type Eligibility =
  | { type: "eligible"; reason: EligibleReason }
  /**
   * The comment of these notes is published, but the rest of the publication is missing. It is completed without a second run or
   * a second comment.
   */
  | { type: "repair"; reason: "repair"; notes: TriageNotes }
  | { type: "skipped"; reason: SkipReason | SweepSkipReason };

export type EligibleReason =
  | "needs-triage"
  | "needs-info-with-new-activity"
  /** A sweep has no verdict yet on the issue as it is now. */
  | "without-verdict"
  /** The sweep's verdict is older than `sweep.recheck`. */
  | "recheck-due"
  /** The sweep's verdict is not published yet, because the daily limit of comments was reached. */
  | "comment-due"
  /** The grace period of a sweep's proposed close ended without an objection. */
  | "close-due";

/** Only sweeps use these. */
type SweepSkipReason = "already-swept" | "not-selected" | "security-report" | "comment-limit";

export type SkipReason =
  | "pull-request"
  | "closed"
  | "issue-locked"
  | "not-labelled"
  | "needs-info-excluded"
  | "needs-info-without-new-activity"
  | "cooldown"
  /** A proposal waits for an answer, or was rejected, and there has been no new activity since (E4). */
  | "proposal-waits"
  | "proposal-rejected"
  /** The same for a proposal that was edited, or whose signature cannot be verified (S4). */
  | "proposal-unverified"
  /** The issue's outcome, or the rest of its publication, was withheld, and the issue has not changed since (E4). */
  | "autonomy-off"
  | "autonomy-shadow"
  /** Triage Runs of this home failed on the issue; it waits before the next Triage Run. */
  | "failed-recently";

export interface EligibilityFacts {
  issue: Issue;
  comments: readonly IssueComment[];
  /** May be null when `needsLabelEvents` returns false. */
  labelEvents: readonly LabelEvent[] | null;
  /** Our newest notes, from findTriageNotes: the trusted ones, or unverified ones that are newer. */
  notes: TriageNotes | null;
  /** Whether the notes are verified. Unverified notes prevent a repeated comment, but nothing is repaired from them (S4). */
  areNotesTrusted: boolean;
  /** Our own comments do not count as activity. */
  viewerId: number;
  settings: EligibilitySettings;
  nowMs: number;
}

export interface EligibilitySettings {
  labels: LabelNames;
  activity: Activity;
  cooldownMs: number;
  includeNeedsInfo: boolean;
}

/** Returns whether the issue is triaged, repaired or skipped, with the reason. Pure. */
export function decideEligibility(facts: EligibilityFacts): Eligibility {
  const { issue, notes, settings } = facts;
  if (issue.isPullRequest) return skipped("pull-request");
  if (issue.state === "closed") return skipped("closed");
  if (issue.locked) return skipped("issue-locked");

  const states = stateRoles(issue.labels, settings.labels);
  const isExcluded = isOnlyNeedsInfo(states) && !settings.includeNeedsInfo;
  if (isExcluded) return skipped("needs-info-excluded");
  const areRolesChanged =
    notes !== null &&
    areRolesChangedSince({ ...notes, target: publicationTarget(notes) }, eventsOf(facts), settings.labels);
  if (
    facts.areNotesTrusted &&
    notes !== null &&
    !areRolesChanged &&
    isUnfinished(issue, notes, settings.labels) &&
    !isCloseAnswered(planRepair(notes, issue, settings.labels), notes, facts)
  ) {
    return { type: "repair", reason: "repair", notes };
  }
  if (states.includes("needs-triage")) return decideNeedsTriage(facts, areRolesChanged);
  if (states.includes("needs-info")) return decideNeedsInfo(facts, areRolesChanged);
  return skipped("not-labelled");
}

/**
 * Returns whether the decision depends on labels that people may have changed since the notes. Only then are label events fetched,
 * because they cost a request.
 */
export function needsLabelEvents(facts: Omit<EligibilityFacts, "labelEvents">): boolean {
  const { issue, notes, settings } = facts;
  const { labels } = settings;
  if (notes === null || issue.isPullRequest || issue.state === "closed" || issue.locked) return false;
  if (isUnfinished(issue, notes, labels)) return true;
  if (stateRoles(issue.labels, labels).includes("needs-triage")) return !isWaitOver(notes, facts);
  return publicationTarget(notes).labels === "leave";
}

/**
 * Decides for an issue that needs triage. If we have written notes, it waits for a person's comment, edit or label change, or for
 * the end of the cooldown (policy 6).
 */
function decideNeedsTriage(facts: EligibilityFacts, areRolesChanged: boolean): Eligibility {
  const { notes } = facts;
  const isDue = notes === null || areRolesChanged || isWaitOver(notes, facts);
  return isDue ? { type: "eligible", reason: "needs-triage" } : skipped("cooldown");
}

function isWaitOver(notes: TriageNotes, facts: Omit<EligibilityFacts, "labelEvents">): boolean {
  const { settings, nowMs } = facts;
  return (
    hasActivitySince(notes, facts, "anyone") ||
    nowMs >= Date.parse(notes.comment.createdAt) + settings.cooldownMs
  );
}

/**
 * Decides for an issue that needs information (A28). It is eligible if we have never asked on it, after an answer, and after
 * people have settled the labels that we asked about.
 */
function decideNeedsInfo(facts: EligibilityFacts, areRolesChanged: boolean): Eligibility {
  const { notes, settings } = facts;
  const isDue =
    notes === null ||
    (publicationTarget(notes).labels === "leave" && areRolesChanged) ||
    hasActivitySince(notes, facts, settings.activity);
  return isDue
    ? { type: "eligible", reason: "needs-info-with-new-activity" }
    : skipped("needs-info-without-new-activity");
}

function isUnfinished(issue: Issue, notes: TriageNotes, labels: LabelNames): boolean {
  return planRepair(notes, issue, labels).steps.length > 0;
}

function isOnlyNeedsInfo(states: readonly string[]): boolean {
  return states.includes("needs-info") && !states.includes("needs-triage");
}

function eventsOf(facts: EligibilityFacts): readonly LabelEvent[] {
  const { issue, labelEvents } = facts;
  if (labelEvents === null && needsLabelEvents(facts)) {
    throw new Error(`the label events of issue ${issue.ref.number} were needed and not fetched`);
  }
  return labelEvents ?? [];
}

function skipped(reason: SkipReason): Eligibility {
  return { type: "skipped", reason };
}
