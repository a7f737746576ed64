/** A file or directory of a home that is kept or removed as a whole. */
export interface KeptUnit {
  /** The path relative to the home, with `/` between names. */
  path: string;
  kind: "triage-run" | "batch-file" | "audit-log" | "session" | "github-response" | "checkpoint";
  /** The size on disk. */
  bytes: number;
  /** The latest change of any file in it, in milliseconds since the Unix epoch by this machine's clock. */
  changedAtMs: number;
  /** The reasons why it is needed, independent of the state of its issue. */
  holds: readonly Hold[];
  /** `owner/repo#n` of the issue that needs it while the issue is open; null: no issue needs it. */
  issue: string | null;
}

export type Hold =
  /** It belongs to a Triage Run, a batch or a Session that is not over. */
  | "live"
  /** It contains a checkpoint's patch. */
  | "checkpoint"
  /** It holds the runs by which a stored reproduction was verified. */
  | "reproduction"
  /** It belongs to the latest batch that wrote to an issue, so that `undo` may still revert it. */
  | "undo";

export interface RetentionFacts {
  units: readonly KeptUnit[];
  /** The known states, by issue key. A missing issue is not known to be closed. */
  issues: ReadonlyMap<string, "open" | "closed">;
}

/** Another process prunes the home. */
export type RetentionErrorCode = "PRUNE_RUNNING";

/** Where a unit is in the order of age. */
export type UnitPlace = Pick<KeptUnit, "changedAtMs" | "path">;

/** null: no limit. */
export interface RetentionLimits {
  ageMs: number | null;
  sizeBytes: number | null;
}

export type KeptReason = Hold | "recent" | "open-issue" | "issue-not-known-to-be-closed" | "within-limits";

export interface RetentionPlan {
  /** Sorted, the oldest first. */
  remove: { unit: KeptUnit; reason: "age" | "size" }[];
  keep: { unit: KeptUnit; reason: KeptReason }[];
  bytesBefore: number;
  bytesAfter: number;
  /** The rest is larger than the limit, and all of it is needed or not known to be unneeded. */
  isOverSize: boolean;
}

/** A file changed this recently may belong to a running command that leaves no other trace. */
export const RECENT_MS = 60 * 60_000;

/**
 * Pure: plans which units of a home are removed. Units that nothing needs are removed when they are older than the age limit;
 * then the oldest ones are removed until the rest is within the size limit.
 */
export function planRetention(facts: RetentionFacts, limits: RetentionLimits, nowMs: number): RetentionPlan {
  const bytesBefore = facts.units.reduce((sum, { bytes }) => sum + bytes, 0);
  const plan: RetentionPlan = {
    remove: [],
    keep: [],
    bytesBefore,
    bytesAfter: bytesBefore,
    isOverSize: false,
  };
  const free: KeptUnit[] = [];
  for (const unit of facts.units.toSorted(oldestFirst)) {
    const reason = needOf(unit, facts.issues, nowMs);
    if (reason === null) free.push(unit);
    else plan.keep.push({ unit, reason });
  }
  for (const unit of free) {
    const isOld = limits.ageMs !== null && nowMs - unit.changedAtMs > limits.ageMs;
    const isTooMuch = limits.sizeBytes !== null && plan.bytesAfter > limits.sizeBytes;
    if (isOld || isTooMuch) {
      plan.remove.push({ unit, reason: isOld ? "age" : "size" });
      plan.bytesAfter -= unit.bytes;
    } else plan.keep.push({ unit, reason: "within-limits" });
  }
  plan.isOverSize = limits.sizeBytes !== null && plan.bytesAfter > limits.sizeBytes;
  return plan;
}

/**
 * Pure: the issues whose state decides what is removed, and is not known; each with its oldest unit that may go, the oldest first.
 */
export function issuesToAskFor(
  facts: RetentionFacts,
  limits: RetentionLimits,
  nowMs: number,
): Map<string, KeptUnit> {
  const unknown = facts.units.flatMap(({ issue }) =>
    issue === null || facts.issues.has(issue) ? [] : [[issue, "closed"] as const],
  );
  const ifClosed = { units: facts.units, issues: new Map([...facts.issues, ...unknown]) };
  const asked = new Map<string, KeptUnit>();
  for (const { unit } of planRetention(ifClosed, limits, nowMs).remove) {
    const { issue } = unit;
    if (issue !== null && !facts.issues.has(issue) && !asked.has(issue)) asked.set(issue, unit);
  }
  return asked;
}

function needOf(
  { holds, issue, changedAtMs }: KeptUnit,
  issues: RetentionFacts["issues"],
  nowMs: number,
): KeptReason | null {
  const [hold] = holds;
  if (hold !== undefined) return hold;
  if (nowMs - changedAtMs < RECENT_MS) return "recent";
  const state = issue === null ? "closed" : issues.get(issue);
  if (state === "open") return "open-issue";
  return state === "closed" ? null : "issue-not-known-to-be-closed";
}

/** The order in which units are removed. */
export function oldestFirst(one: UnitPlace, other: UnitPlace): number {
  return one.changedAtMs - other.changedAtMs || (one.path < other.path ? -1 : 1);
}
