/** One condition on an issue. `not` inverts it. Names and words are in lower case. */
export type Condition =
  /** An issue with one of the labels matches. */
  | { type: "label"; anyOf: readonly string[]; not: boolean }
  | { type: "author" | "milestone" | "word" | "title"; value: string; not: boolean }
  | { type: "no"; value: "label" | "milestone"; not: boolean }
  | {
      type: "created" | "updated" | "comments" | "reactions" | "number";
      /** For times, milliseconds since 1970. Both ends are inclusive. */
      from: number;
      to: number;
      not: boolean;
    };

/** The conditions of a query. An issue matches if all of them hold. */
export type Query = readonly Condition[];
