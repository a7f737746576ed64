/**
 * An answer that a deaf product returns: an expression in the script's language, or one of the special words that this file uses,
 * such as `loads`, `manifest` or `identity`.
 */
export interface NamedAnswer {
  readonly candidate: string;
  /** The answer replaces the innermost values of the product's own answer, instead of the whole answer. */
  readonly isLeaf: boolean;
  /** False if the literal is not near a comparison. It is then used only if the product returns a value of its type. */
  readonly isWanted?: boolean;
  /** The answer is a list, and the script's functions are called with its elements, one after the other. */
  readonly isSpread?: boolean;
  /** The message of an error. */
  readonly text?: string;
  /** An expression of an object: the properties of an error. */
  readonly fields?: string;
  /**
   * Only some calls get the answer, and the others keep the whole product's: the `last` or the `first` call, those whose own answer
   * the script does not name (`unnamed`), or those whose arguments stand `beside` a datum in the script: it is then the answer, or
   * each value in it; with the candidate `alike`, only if it is of the answer's type.
   * `fields`: every call keeps its answer but for the properties that the candidate has; `inside`, `innermost`: but for the lists
   * and objects in it, in whose place the candidate is; `sized`: but for the number of their elements; `booleans`: but for those in
   * it, or, with the candidate `usual`, but for those that differ from most answers of their function. `threw`: calls that threw or
   * rejected. `said`: those beside whose answer the script prints another value, which is then the answer. `back`: a call that is
   * given the answer of an earlier call answers what that one was given. `turns`: every call keeps its answer, and its promises
   * come true one after the other. `records`: every call keeps its answer, and no code of the product runs.
   */
  readonly only?:
    | "first"
    | "last"
    | "unnamed"
    | "beside"
    | "fields"
    | "inside"
    | "innermost"
    | "sized"
    | "booleans"
    | "threw"
    | "said"
    | "back"
    | "turns"
    | "records";
  /** The data in the script's text, in order; of `said`: the places of the script's output, as `{ words, wanted }`. */
  readonly data?: readonly string[];
}

/** An expression of the script that may be an answer; `isWanted`: it stands beside a comparison. */
export interface Found {
  readonly expression: string;
  readonly isWanted: boolean;
}
