/** Why an outcome file is rejected. */
export interface OutcomeProblem {
  code:
    | "too-large"
    | "not-utf8"
    | "not-json"
    | "too-deep"
    | "duplicate-key"
    | "forbidden-key"
    | "schema"
    | "wrong-issue"
    | "incomplete";
  /** At most a few hundred characters. It may quote the file, so it is untrusted text. */
  message: string;
}
