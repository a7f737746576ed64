/** The result of one run of the reproduction for one version of the product. */
export type ProbeResult =
  /**
   * The run showed the claimed exit code and text. `failure`: how the script failed, by which other runs of a claim without a text
   * are compared; null: exit code and text suffice.
   */
  | { type: "bad"; failure: string | null }
  /** The script ended as it does without the bug (`isFreeOfBug`), usually with exit code 0. */
  | { type: "good" }
  /** Any other end proves nothing, like `git bisect skip`. `reason` is a sentence for people. */
  | { type: "untestable"; reason: string };

/** Runs the reproduction once on the product at a commit, in its own checkout. Rejects only with the signal's reason. */
export type Probe = (commit: string, signal: AbortSignal) => Promise<ProbeResult>;
