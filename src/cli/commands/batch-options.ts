import { type Command, Option } from "commander";
import type { RunFlags } from "../../config/index.ts";
import { dollars, duration, wholeNumber } from "../grammar/index.ts";

/** The options that `run`, `sweep` and `backtest` share, as commander parses them. */
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

/** Returns the shared options under the names by which settings are chosen. Durations are in milliseconds. */
export function batchFlags(
  options: BatchOptions,
): Omit<RunFlags, "includeNeedsInfo" | "keepFailedMs" | "rangeMs"> {
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

/** Returns the flags of a command that chooses its issues itself. */
export function anyIssueFlags(options: Omit<BatchOptions, "issue">): RunFlags {
  const flags = batchFlags({ ...options, issue: [] });
  return { ...flags, includeNeedsInfo: true, keepFailedMs: undefined, rangeMs: undefined };
}

/**
 * Adds the options that every command with a batch has. `part` names what the deadline ends. The defaults are literals here,
 * since loading the table of settings would make `--help` slow; a test compares the two.
 */
export function acceptBatchOptions(
  command: Command,
  { part, budget }: { part: string; budget: string },
): Command {
  return command
    .option("--parallelism <n>", "issues to process at once, 1-200 (default 5)", wholeNumber(1, 200))
    .addOption(
      new Option("--provider <name>", "where Triage Agents work and reproductions run").choices([
        "coder",
        "local",
      ]),
    )
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--deadline <duration>", `end ${part} after this, e.g. 45m`, duration)
    .option("--run-deadline <duration>", "end one issue after this (default 20m)", duration)
    .option("--budget-usd <amount>", budget, dollars)
    .option("--run-budget-usd <amount>", "the most that one issue may cost", dollars)
    .option("--home <dir>", "where recordings and records are kept (default ~/.afk-triage)")
    .option("--verbose", "show the log on stderr, too");
}
