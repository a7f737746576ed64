import type { PlaceKind } from "../../evidence/index.ts";
import type { AutonomySettings } from "../../trust/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import type { EvidenceLocation } from "../comment/index.ts";
import type { LabelNames } from "../labels.ts";

/** All settings of a Triage Batch, resolved: no optional keys, all times in milliseconds, all amounts of money in dollars. */
export interface BatchSettings {
  repos: readonly RepositoryName[];
  /** Only these issue numbers, if eligible; empty means every candidate. */
  onlyIssues: readonly number[];
  /** Whether the batch only reports eligibility with reasons, without writing or creating anything. */
  dryRun: boolean;
  parallelism: number;
  includeNeedsInfo: boolean;
  maxIssues: number | null;
  shard: Shard | null;
  batchDeadlineMs: number | null;
  runDeadlineMs: number;
  /** How the Coder workspaces of failed runs are kept for people to inspect; null: each is destroyed at once. */
  inspection: InspectionSettings | null;
  budget: BudgetSettings;
  labels: LabelNames;
  needsInfoActivity: "reporter" | "anyone";
  cooldownMs: number;
  checkout: CheckoutSettings;
  /** The directory in a Coder workspace where an Agent Firewall writes its log; null: there is none. */
  firewallLog: string | null;
  reproduction: {
    /**
     * Where the reproduction is verified. `same` is the Triage Agent's own Coder workspace, which is weaker evidence; the grade
     * says so (V1).
     */
    place: PlaceKind;
    runs: number;
    timeoutMs: number;
    /** The time limit of the search for the range of a verified bug; null: there is no search. */
    rangeMs: number | null;
  };
  duplicates: DuplicateSettings;
  /** The level of autonomy for each kind of outcome, which the applier obeys (E4). */
  autonomy: AutonomySettings;
  /** Whether a proposal is also made as GitHub's own suggestion. */
  suggestsNatively: boolean;
  workspacePrefix: string | null;
  /** The limit of one Session's Event Log, in bytes: above it the middle is dropped. */
  sessionLogBytes: number;
  /** A private directory outside the home for the evidence of vulnerabilities (S16). null: that evidence is not kept. */
  privateEvidence: string | null;
  /** The time between two looks at the pull requests of a live run's issue. */
  pullRequestIntervalMs: number;
  /** Where readers find this batch's recordings (V8). */
  evidenceLocation: EvidenceLocation;
}

export interface InspectionSettings {
  /** How long each is kept, in milliseconds. */
  keepMs: number;
  /** The maximum number kept at a time for the repositories of the batch, including those that other parents keep. */
  limit: number;
}

/**
 * The limits on what Triage Runs may cost (T9) and on how many may be run (S14). null: no limit. Both input and output tokens
 * count.
 */
export interface BudgetSettings {
  /** The limit of one Triage Run; Claude Code itself enforces it, in print mode. */
  runUsd: number | null;
  runTokens: number | null;
  /** The limit of this batch. Each batch has its own, even when several batches share a home. */
  batchUsd: number | null;
  batchTokens: number | null;
  /** The maximum number of Triage Runs for issues of one author in this batch. */
  runsPerAuthor: number | null;
}

export const noBudget: BudgetSettings = {
  runUsd: null,
  runTokens: null,
  batchUsd: null,
  batchTokens: null,
  runsPerAuthor: null,
};

/** How many earlier issues are offered as duplicates (D1, D2), and how many of them may be proven (D5). */
export interface DuplicateSettings {
  /** The maximum number of earlier issues offered to a Triage Agent; 0: none, and no index is kept. */
  candidates: number;
  /**
   * The maximum number of requests to GitHub for one batch's update of the issue index of one repository; each returns up to 100
   * issues.
   */
  requests: number;
  /** The maximum number of pairs of reproductions that one Triage Run compares. */
  proofs: number;
  /** The time limit of one comparison of reproductions, in milliseconds. */
  proofMs: number;
  /** Whether an issue that is proven to repeat an open one is closed. */
  close: boolean;
}

export interface Shard {
  /** 1-based. */
  index: number;
  count: number;
}

export interface CheckoutSettings {
  /** null: the repository's own clone URL. */
  url: string | null;
  ref: string | null;
  strategy: "clone" | "shallow" | "bundle";
  /** Command lines run in the fresh checkout, in order. */
  setup: readonly string[];
}
