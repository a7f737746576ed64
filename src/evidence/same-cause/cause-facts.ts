import type { ProbeState } from "../range/index.ts";

/** The results of one script on the commit right before a change, and on the change itself. */
export interface ChangeSides {
  readonly before: ProbeState;
  readonly at: ProbeState;
}

/** A commit where the bug of one of two issues comes in or goes, with what the scripts of both issues show there. */
export interface CauseChange {
  readonly kind: "first-bad" | "first-fixed";
  readonly commit: string;
  readonly first: ChangeSides;
  readonly second: ChangeSides;
}

/** The results of both scripts on a commit that one of the issues is known to be bad on. */
export interface SharedCommit {
  readonly commit: string;
  readonly first: ProbeState;
  readonly second: ProbeState;
}

/**
 * Why a change that flips both scripts flips them for one reason. A commit may hold many changes (a merged release, a
 * rewrite), so that both scripts flip there proves one cause only together with one of these.
 */
export type CauseTie =
  /** Both scripts call the product alike and get the same wrong answer. `call` is untrusted text for people. */
  | { readonly type: "calls"; readonly call: string }
  /** Both scripts end in the same error, thrown by the same function of the product. `error` is untrusted text. */
  | { readonly type: "error"; readonly error: string }
  /** The smallest part of the change that flips one script flips the other too, both ways; `lines` of it. */
  | { readonly type: "part"; readonly lines: number };

/** All that the decision about two issues rests on. */
export interface SameCauseFacts {
  /** Every exact end of both ranges. */
  readonly changes: readonly CauseChange[];
  readonly shared: readonly SharedCommit[];
  /** null: none was found, or none was looked for yet. */
  readonly tie: CauseTie | null;
}

/** Whether two reproductions show one cause. Only `proven` is ever called a duplicate without "may be". */
export type SameCause =
  | { readonly type: "proven"; readonly change: CauseChange; readonly tie: CauseTie }
  /** On `commit` one script shows its bug and the other does not. */
  | { readonly type: "different"; readonly commit: string }
  /** `change`: where a tie may be looked for; null: no change flips both. */
  | { readonly type: "undecided"; readonly change: CauseChange | null; readonly reason: string };
