import type { RepositoryName } from "../github/index.ts";
import type { BatchSettings, Shard } from "../triage/index.ts";

/** The options of `afk-triage run`, after parsing. */
export interface RunFlags {
  repo: readonly RepositoryName[];
  issue: readonly number[];
  dryRun: boolean;
  parallelism: number | undefined;
  includeNeedsInfo: boolean;
  maxIssues: number | undefined;
  shard: Shard | undefined;
  provider: "coder" | "local" | undefined;
  config: string | undefined;
  deadlineMs: number | undefined;
  runDeadlineMs: number | undefined;
  budgetUsd: number | undefined;
  runBudgetUsd: number | undefined;
  rangeMs: number | undefined;
  /** How long a failed run's Coder workspace is kept, in milliseconds. */
  keepFailedMs: number | undefined;
  home: string | undefined;
}

/** The flags of a command line without any flag. */
export const defaultRunFlags: RunFlags = {
  repo: [],
  issue: [],
  dryRun: false,
  parallelism: undefined,
  includeNeedsInfo: true,
  maxIssues: undefined,
  shard: undefined,
  provider: undefined,
  config: undefined,
  deadlineMs: undefined,
  runDeadlineMs: undefined,
  budgetUsd: undefined,
  runBudgetUsd: undefined,
  rangeMs: undefined,
  keepFailedMs: undefined,
  home: undefined,
};

export interface ProgramSettings {
  home: string;
  provider: "coder" | "local";
  batch: BatchSettings;
  triageAgent: TriageAgentSettings;
  coder: CoderSettings;
  /** The settings of `afk-triage sweep`. */
  sweep: {
    closes: boolean;
    graceMs: number;
    commentsPerDay: number;
    recheckMs: number;
    asksTriageAgent: boolean;
  };
  fleet: FleetSettings;
  /** Limits of the home, applied after each batch. null: no limit. */
  retention: { ageMs: number | null; sizeBytes: number | null };
}

export type TriageAgentSettings =
  | { kind: "command"; command: readonly [string, ...string[]]; env: Readonly<Record<string, string>> }
  | {
      kind: "claude-code";
      mode: "print" | "tui";
      /** Mode tui: how long a question waits for a person's answer, in milliseconds. */
      waitForPersonMs?: number | null;
      model: string | null;
      env: Readonly<Record<string, string>>;
    };

export interface CoderSettings {
  url: string | null;
  template: string;
  preset: string | null;
  parameters: Readonly<Record<string, string>>;
  organization: string | null;
  /** `auto`: tmux holds a Session if the Coder workspace has tmux, so that it survives lost connections. */
  multiplexer: "auto" | "none";
  /** The file to which a template's Agent Firewall writes its log; null: no log is read. */
  firewallLog: string | null;
  /** The group of Coder users that may use a Coder workspace which is kept for inspection; null: only its owner may. */
  inspectionGroup: string | null;
  /** The maximum number that is kept at a time. */
  inspectionLimit: number;
}

/** The settings of `afk-triage fleet`. Budgets are for a calendar month in UTC; null: no limit. */
export interface FleetSettings {
  perRepository: number;
  perOwner: number | null;
  pollMs: number;
  quietMs: number;
  graceMs: number;
  budget: {
    repositoryUsd: number | null;
    repositoryTokens: number | null;
    ownerUsd: number | null;
    ownerTokens: number | null;
    fleetUsd: number | null;
    fleetTokens: number | null;
  };
}
