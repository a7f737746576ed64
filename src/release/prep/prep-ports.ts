import type { Clock, Ids } from "agent-tty/kit";
import type { EvidenceRequest, VerificationEvidence } from "../evidence/index.ts";
import type { Git } from "../git/index.ts";
import type { TakeLock } from "../release-record.ts";
import type { VersionWish } from "../choose-version.ts";

export interface PrepOptions {
  remote: string;
  wish: VersionWish;
  /** Paths beside package.json in which the version stands once in quotes. */
  versionFiles: readonly string[];
  /** Command lines, in the temporary checkout: what makes it ready, then what must succeed. */
  setup: readonly string[];
  verify: readonly string[];
  /** Patience with one of them. */
  verifyTimeoutMs: number;
  push: boolean;
  dryRun: boolean;
}

/** Called after each step; an interruption may come after each. */
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
  /** `<home>/releases` */
  releasesDirectory: string;
  takeLock: TakeLock;
  /** Runs the verification commands and tells what was seen of them. */
  collectEvidence: (request: EvidenceRequest) => Promise<VerificationEvidence>;
  clock: Clock;
  ids: Ids;
  observe: (step: PrepStep) => void | Promise<void>;
}
