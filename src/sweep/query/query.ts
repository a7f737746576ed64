/** One condition on an issue. `not` turns it round. Names and words are in lower case. */
export type Condition =
  /** One of the labels is enough. */
  | { type: "label"; anyOf: readonly string[]; not: boolean }
  | { type: "author" | "milestone" | "word" | "title"; value: string; not: boolean }
  | { type: "no"; value: "label" | "milestone"; not: boolean }
  | {
      type: "created" | "updated" | "comments" | "reactions" | "number";
      /** Milliseconds since 1970 for times. Both ends count. */
      from: number;
      to: number;
      not: boolean;
    };

/** All conditions have to hold. */
export type Query = readonly Condition[];
