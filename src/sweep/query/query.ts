/** One condition on an issue. `not` inverts it. Names and words are in lower case. */
export type Condition =
  /** One of the labels is enough. */
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

/** An issue matches if all conditions hold. */
export type Query = readonly Condition[];
