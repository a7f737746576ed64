/** Where a reproduction came from. `stored`: this home has seen it work before. */
export type ReproductionOrigin = "stored" | "issue" | "linked";

/** A reproduction that needs no Triage Agent. The script is untrusted text: it runs in a Coder workspace and nowhere else. */
export interface FoundReproduction {
  origin: ReproductionOrigin;
  /** A shell script that is started in a checkout. */
  script: string;
  /** How a run shows the bug; null: the text does not say, so a run has to be observed first. */
  expect: { exitCode: number | null; outputContains: string | null } | null;
  /** Output that the issue quotes, the most specific first. */
  said: readonly string[];
}
