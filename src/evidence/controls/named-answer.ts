/**
 * An answer that a deaf product returns: an expression in the script's language, or one of the special words that this file uses,
 * such as `loads`, `manifest`, `exports`, `identity` or `merged`.
 */
export interface NamedAnswer {
  readonly candidate: string;
  /** The answer replaces the innermost values of the product's own answer, instead of the whole answer. */
  readonly isLeaf: boolean;
  /** False if the literal is not near a comparison. It is then used only if the product returns a value of its type. */
  readonly isWanted?: boolean;
  /**
   * The answer is a list, and each of the script's functions is called with its elements, one after the other (`elements`) or all at
   * once (`arguments`); or the recorded calls get one element each, in order, and the last function is called with the rest (`calls`).
   */
  readonly spread?: "elements" | "arguments" | "calls";
  /** The message of an error. */
  readonly text?: string;
  /** An expression of an object: the properties of an error. */
  readonly fields?: string;
  /**
   * Limits the candidate to some calls, or to some parts of each answer. All else is as the whole product answers. Absent: every
   * call gets the candidate.
   * - `first`, `last`: the first or the last call. With the candidate `earlier`, the last call returns what the call before it returned.
   * - `unnamed`: the calls whose own answer is not in the script's text; with `isLeaf`, the texts in an answer that are not.
   * - `threw`: the calls that threw or whose promise was rejected.
   * - `beside`: the calls whose arguments are in the script's text. The datum `before` or `after` them replaces the answer, or with
   *   `isLeaf` each value in it. The candidate `alike` is the datum after them if it has the answer's type.
   * - `said`: the calls whose answer the script prints together with an expected value, which replaces the answer.
   * - `fields`: the properties that the candidate has.
   * - `inside`, `innermost`: the lists and objects directly in the answer, or those that contain no others.
   * - `sized`: the number of elements of its lists and objects.
   * - `booleans`: its booleans. With the candidate `usual`, each of them becomes the one that most calls of the function returned.
   * - `back`: a call whose argument is the answer of an earlier call returns the argument of that call.
   * - `turns`: every call keeps its answer, and the promises are fulfilled one after the other.
   * - `each`: the first call returns the first element of the candidate, the second call the second one, and so on.
   * - `argument`: every call keeps its answer, and turns the object or list that is its first argument into the candidate.
   * - `changed`: every call keeps its answer with one change: `rounded`, `trimmed`, `unique`, `sorted`, `without NAME`, or
   *   `properties`: a function that it returns has the properties of the function that it was given.
   * - `given`: every call keeps its answer, and the script's functions are called with the candidate.
   * - `effects`: every call keeps its answer and changes its arguments as the whole product does, but nothing else.
   * - `records`: every call keeps its answer, and the product's code does not run.
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
    | "each"
    | "argument"
    | "changed"
    | "given"
    | "effects"
    | "records";
  /** The data in the script's text, in order. For `said`: the places of the script's output, as `{ words, wanted }`. */
  readonly data?: readonly string[];
}

/** An expression of the script that may be an answer. `isWanted`: it is part of a comparison. */
export interface Found {
  readonly expression: string;
  readonly isWanted: boolean;
}
