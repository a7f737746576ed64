import { z } from "zod";

/** The maximum number of characters of a `why`. */
export const WHY_MAX_CHARACTERS = 4_000;

const text = z.string().max(WHY_MAX_CHARACTERS);
const version = z.string().max(200).nullable();

/** The verdict of a sweep on one issue. `why` is a sentence for people. */
export const verdictSchema = z.discriminatedUnion("type", [
  /** The parent's own runs show the bug on `commit` of the default branch. */
  z.strictObject({
    type: z.literal("still-broken"),
    commit: version,
    /** The first bad version or commit; null: unknown. */
    since: version,
    /** Set if the runs differ: `matched` of `runs` show the bug. */
    flaky: z.strictObject({ matched: z.int(), runs: z.int() }).nullable(),
  }),
  /** The parent's own runs show the bug on the reported version and not on the default branch: fail before, pass after. */
  z.strictObject({
    type: z.literal("fixed"),
    /** The reported version, on which `runs` runs of the script showed the bug. */
    before: z.string().max(200),
    runs: z.int().positive(),
    /** The first release with the fix; null: not released yet if `isExact`, otherwise unknown. */
    release: version,
    /** The commit that fixed the bug; valid only if `isExact`. */
    commit: version,
    /** false: the fix is in that release or an earlier one. */
    isExact: z.boolean(),
  }),
  /** The parent ran the reproduction, and no run shows the bug. */
  z.strictObject({ type: z.literal("not-reproduced"), why: text, runs: z.int() }),
  /** There is nothing to run, or the runs prove nothing about the bug. */
  z.strictObject({ type: z.literal("needs-reproduction"), why: text, hasRun: z.boolean() }),
  z.strictObject({
    type: z.literal("not-a-bug"),
    why: text,
    /** `runs`: the parent's own runs; `triage-agent`: only a Triage Agent's opinion. */
    basis: z.enum(["runs", "triage-agent"]),
  }),
  z.strictObject({ type: z.literal("duplicate"), of: z.int().positive(), why: text }),
  /** The issue looks like a vulnerability report: nothing about it is stored or published. */
  z.strictObject({ type: z.literal("withheld") }),
]);

export type Verdict = z.infer<typeof verdictSchema>;
export type VerdictType = Verdict["type"];

/** Returns a key for the content of a comment on the verdict: comments with equal keys say the same. */
export function messageKey(verdict: Verdict): string {
  switch (verdict.type) {
    case "fixed":
      return `fixed:${verdict.release ?? verdict.commit ?? ""}`;
    case "still-broken":
      return `still-broken:${verdict.since ?? ""}`;
    case "duplicate":
      return `duplicate:${verdict.of}`;
    case "not-reproduced":
    case "needs-reproduction":
    case "not-a-bug":
    case "withheld":
      return verdict.type;
  }
}

/** Returns the key of a comment of which only the marker is known. It contains the type of the verdict and nothing else of it. */
export function keyWithoutDetail(verdictType: string): string {
  return `${verdictType}:*`;
}
