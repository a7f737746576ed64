/** The source of a reproduction. `stored`: it has already worked in this home. */
export type ReproductionOrigin = "stored" | "issue" | "linked";

/** A reproduction that needs no Triage Agent. The script is untrusted text and runs only in a Coder workspace. */
export interface FoundReproduction {
  origin: ReproductionOrigin;
  /** A shell script that is started in a checkout. */
  script: string;
  /** How a run shows the bug; null: the text does not say, so a run must be observed first. */
  expect: { exitCode: number | null; outputContains: string | null } | null;
  /** Output that the issue quotes: blocks first, then code spans. */
  said: readonly string[];
}
