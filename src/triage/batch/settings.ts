import type { PlaceKind } from "../../evidence/index.ts";
import type { AutonomySettings } from "../../trust/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import type { EvidenceLocation } from "../comment/index.ts";
import type { LabelNames } from "../labels.ts";

/** Everything a Triage Batch needs to know, resolved: no optional keys, no units but milliseconds and dollars. */
export interface BatchSettings {
  repos: readonly RepositoryName[];
  /** Only these issue numbers, if eligible; empty means every candidate. */
  onlyIssues: readonly number[];
  /** Eligibility with reasons; nothing is written, nothing is created. */
  dryRun: boolean;
  parallelism: number;
  includeNeedsInfo: boolean;
  maxIssues: number | null;
  shard: Shard | null;
  batchDeadlineMs: number | null;
  runDeadlineMs: number;
  /** Failed runs' Coder workspaces that people may look at; null: each is destroyed at once. */
  inspection: InspectionSettings | null;
  budget: BudgetSettings;
  labels: LabelNames;
  needsInfoActivity: "reporter" | "anyone";
  cooldownMs: number;
  checkout: CheckoutSettings;
  /** The directory in a Coder workspace where an Agent Firewall writes its log; null: there is none. */
  firewallLog: string | null;
  reproduction: {
    /** V1: `same` is the Triage Agent's own Coder workspace, which is weaker, and the grade says so. */
    place: PlaceKind;
    runs: number;
    timeoutMs: number;
    /** How long the range of a verified bug may be searched for; null: not at all. */
    rangeMs: number | null;
  };
  duplicates: DuplicateSettings;
  /** E4: how far the applier goes, by kind of outcome. */
  autonomy: AutonomySettings;
  /** Whether a proposal is also made as a suggestion of GitHub's own. */
  suggestsNatively: boolean;
  workspacePrefix: string | null;
  /** The limit of one Session's Event Log, in bytes: above it the middle is dropped. */
  sessionLogBytes: number;
  /** S16: a private directory outside the home for what showed a vulnerability; null: it is not kept. */
  privateEvidence: string | null;
  /** Between two looks at the pull requests of a live run's issue. */
  pullRequestIntervalMs: number;
  /** Where readers find this batch's recordings (V8). */
  evidenceLocation: EvidenceLocation;
}

export interface InspectionSettings {
  /** How long each is kept, in milliseconds. */
  keepMs: number;
  /** How many are kept at a time for the repositories of the batch, also by other parents. */
  limit: number;
}

/** T9, S14. null: no limit. A token is one read or written. */
export interface BudgetSettings {
  /** The limit of one Triage Run; Claude Code itself watches it, in print mode. */
  runUsd: number | null;
  runTokens: number | null;
  /** The limit of this batch. Each batch has its own, even when several batches share a home. */
  batchUsd: number | null;
  batchTokens: number | null;
  /** Triage Runs for issues of one author in this batch. */
  runsPerAuthor: number | null;
}

export const noBudget: BudgetSettings = {
  runUsd: null,
  runTokens: null,
  batchUsd: null,
  batchTokens: null,
  runsPerAuthor: null,
};

/** D1, D2, D5. */
export interface DuplicateSettings {
  /** Earlier issues offered to a Triage Agent; 0: none, and no index is kept. */
  candidates: number;
  /** Requests to GitHub by which one batch updates the issue index of one repository; each brings up to 100 issues. */
  requests: number;
  /** Pairs of reproductions that one Triage Run compares. */
  proofs: number;
  /** The time limit of one such comparison, in milliseconds. */
  proofMs: number;
  /** Whether an issue that is proven to repeat another one is closed. */
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
