import type { ProbeState } from "../range/index.ts";

/** The results of one script on the commit right before a change, and on the change itself. */
export interface ChangeSides {
  readonly before: ProbeState;
  readonly at: ProbeState;
}

/** A commit that introduces or fixes the bug of one of two issues, with the results of both issues' scripts there. */
export interface CauseChange {
  readonly kind: "first-bad" | "first-fixed";
  readonly commit: string;
  readonly first: ChangeSides;
  readonly second: ChangeSides;
}

/** The results of both scripts on a commit that is known to have the bug of one of the issues. */
export interface SharedCommit {
  readonly commit: string;
  readonly first: ProbeState;
  readonly second: ProbeState;
}

/**
 * Evidence that a change that flips both scripts flips them for one reason. A commit may contain many changes (a merged release,
 * a rewrite), so two scripts that flip there have one cause only if one of these ties exists as well.
 */
export type CauseTie =
  /** Both scripts make the same call to the product and get the same wrong answer. `call` is untrusted text for people. */
  | { readonly type: "calls"; readonly call: string }
  /** Both scripts end with the same error, thrown by the same function of the product. `error` is untrusted text. */
  | { readonly type: "error"; readonly error: string }
  /** The smallest part of the change that flips one script also flips the other, and vice versa. The part has `lines` lines. */
  | { readonly type: "part"; readonly lines: number };

/** All facts on which the decision about two issues is based. */
export interface SameCauseFacts {
  /** Every exact end of both ranges. */
  readonly changes: readonly CauseChange[];
  readonly shared: readonly SharedCommit[];
  /** null: no tie was found, or none has been searched for yet. */
  readonly tie: CauseTie | null;
}

/** The decision whether two reproductions have one cause. Only a `proven` pair is called a duplicate without "may be". */
export type SameCause =
  | { readonly type: "proven"; readonly change: CauseChange; readonly tie: CauseTie }
  /** On `commit`, one script shows its bug and the other does not. */
  | { readonly type: "different"; readonly commit: string }
  /** `change`: the commit where a tie can be searched for; null: no change flips both scripts. */
  | { readonly type: "undecided"; readonly change: CauseChange | null; readonly reason: string };
