/** The source of a reproduction. `stored`: it has already worked in this home. */
export type ReproductionOrigin = "stored" | "issue" | "linked";

/** A reproduction that needs no Triage Agent. The script is untrusted text and runs only in a Coder workspace. */
export interface FoundReproduction {
  origin: ReproductionOrigin;
  /** A shell script that is started in a checkout. */
  script: string;
  /**
   * The exit code and the output of a run that shows the bug; null: the text does not name them, so a run must be observed first.
   */
  expect: { exitCode: number | null; outputContains: string | null } | null;
  /** Output that the issue quotes: blocks first, then code spans. */
  said: readonly string[];
}
