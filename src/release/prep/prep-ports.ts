import type { Clock, Ids } from "agent-tty/kit";
import type { EvidenceRequest, VerificationEvidence } from "../evidence/index.ts";
import type { Git } from "../git/index.ts";
import type { TakeLock } from "../release-record.ts";
import type { VersionWish } from "../choose-version.ts";

export interface PrepOptions {
  remote: string;
  wish: VersionWish;
  /** Paths of further files that contain the version once, in quotes. */
  versionFiles: readonly string[];
  /** Command lines that run in the temporary checkout: `setup` prepares it, `verify` must succeed. */
  setup: readonly string[];
  verify: readonly string[];
  /** Time limit of one command, in milliseconds. */
  verifyTimeoutMs: number;
  push: boolean;
  dryRun: boolean;
}

/** Called after each step. The program may be interrupted after each of them. */
export type PrepStep =
  | "locked"
  | "fetched"
  | "planned"
  | "worktree-added"
  | "files-written"
  | "committed"
  | "recorded"
  | "branch-set"
  | "verifying"
  | "evidence-collected"
  | "verified"
  | "pushed"
  | "reported";

export interface PrepPorts {
  git: Git;
  /** The directory `<home>/releases`. */
  releasesDirectory: string;
  takeLock: TakeLock;
  /** Runs the verification commands and returns their recorded results. */
  collectEvidence: (request: EvidenceRequest) => Promise<VerificationEvidence>;
  clock: Clock;
  ids: Ids;
  observe: (step: PrepStep) => void | Promise<void>;
}
