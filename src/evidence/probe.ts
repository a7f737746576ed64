/** The result of one run of the reproduction for one version of the product. */
export type ProbeResult =
  /**
   * Exit code and text as claimed. `failure`: how the script failed, by which a claim that names no text knows the bug again; null: exit
   * code and text tell.
   */
  | { type: "bad"; failure: string | null }
  /** The script ended with exit code 0 without showing the claim. */
  | { type: "good" }
  /** Anything else says nothing, as `git bisect skip`: `reason` is a sentence for people. */
  | { type: "untestable"; reason: string };

/** Runs the reproduction once on the product as it was at a commit, in a checkout of its own. Rejects with the signal's reason only. */
export type Probe = (commit: string, signal: AbortSignal) => Promise<ProbeResult>;
