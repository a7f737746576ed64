import type { RunFlags } from "../../config/index.ts";

/** The options that `run` and `sweep` share, as commander gives them. */
export interface BatchOptions {
  repo: RunFlags["repo"];
  issue: number[];
  dryRun?: boolean;
  parallelism?: number;
  maxIssues?: number;
  shard?: RunFlags["shard"];
  provider?: "coder" | "local";
  config?: string;
  deadline?: number;
  runDeadline?: number;
  budgetUsd?: number;
  runBudgetUsd?: number;
  home?: string;
  json?: boolean;
  verbose?: boolean;
}

/** The shared options under the names that settings are chosen by. Durations are in milliseconds. */
export function batchFlags(options: BatchOptions): Omit<RunFlags, "includeNeedsInfo" | "rangeMs"> {
  return {
    repo: options.repo,
    issue: options.issue,
    dryRun: options.dryRun ?? false,
    parallelism: options.parallelism,
    maxIssues: options.maxIssues,
    shard: options.shard,
    provider: options.provider,
    config: options.config,
    deadlineMs: options.deadline,
    runDeadlineMs: options.runDeadline,
    budgetUsd: options.budgetUsd,
    runBudgetUsd: options.runBudgetUsd,
    home: options.home,
  };
}
