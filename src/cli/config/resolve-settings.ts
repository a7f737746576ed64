import { OperationalError } from "agent-tty/kit";
import type { RepositoryName } from "../../github/index.ts";
import { type BatchSettings, defaultLabelNames, type Shard } from "../../triage/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";
import type { Config } from "./config-schema.ts";
import type { RunEnvironment } from "./environment.ts";
import { resolveHome } from "./home-paths.ts";

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
  bisectMs: number | undefined;
  home: string | undefined;
}

/** As if no flag were given. */
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
  bisectMs: undefined,
  home: undefined,
};

export interface ProgramSettings {
  home: string;
  provider: "coder" | "local";
  batch: BatchSettings;
  triageAgent: TriageAgentSettings;
  coder: CoderSettings;
}

export type TriageAgentSettings =
  | { kind: "command"; command: readonly [string, ...string[]]; env: Readonly<Record<string, string>> }
  | {
      kind: "claude-code";
      mode: "print" | "tui";
      model: string | null;
      env: Readonly<Record<string, string>>;
    };

export interface CoderSettings {
  url: string | null;
  template: string;
  preset: string | null;
  parameters: Readonly<Record<string, string>>;
  organization: string | null;
  /** `auto`: a Session is held by tmux where the Coder workspace has it, and survives lost connections. */
  multiplexer: "auto" | "none";
}

const MINUTE_MS = 60_000;

/** Flags beat the environment, the environment beats the file, the file beats the defaults. */
export function resolveSettings(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): ProgramSettings {
  return {
    home: resolveHome(flags.home, environment),
    provider: flags.provider ?? config.provider ?? "coder",
    triageAgent: resolveTriageAgent(config),
    coder: {
      url: environment.coderUrl ?? config.coder?.url ?? null,
      template: config.coder?.template ?? "triage",
      preset: config.coder?.preset ?? "none",
      parameters: config.coder?.parameters ?? {},
      organization: config.coder?.organization ?? null,
      multiplexer: config.coder?.multiplexer ?? "auto",
    },
    batch: {
      repos: resolveRepositories(flags, environment, config),
      onlyIssues: flags.issue,
      dryRun: flags.dryRun,
      parallelism: flags.parallelism ?? environment.parallelism ?? config.parallelism ?? 5,
      includeNeedsInfo: flags.includeNeedsInfo,
      maxIssues: flags.maxIssues ?? null,
      shard: flags.shard ?? null,
      batchDeadlineMs: flags.deadlineMs ?? null,
      runDeadlineMs: flags.runDeadlineMs ?? config.runDeadline ?? 20 * MINUTE_MS,
      budget: {
        runUsd: flags.runBudgetUsd ?? config.budget?.runUsd ?? null,
        batchUsd: flags.budgetUsd ?? config.budget?.batchUsd ?? null,
        runTokens: config.budget?.runTokens ?? null,
        batchTokens: config.budget?.batchTokens ?? null,
        runsPerAuthor: config.budget?.runsPerAuthor ?? null,
      },
      labels: { ...defaultLabelNames, ...definedOnly(config.labels ?? {}) },
      needsInfoActivity: config.needsInfo?.activity ?? "reporter",
      cooldownMs: config.cooldown ?? 7 * 24 * 60 * MINUTE_MS,
      checkout: {
        url: config.checkout?.url ?? null,
        ref: config.checkout?.ref ?? null,
        strategy: config.checkout?.strategy ?? "clone",
        setup: config.checkout?.setup ?? [],
      },
      reproduction: {
        runs: config.reproduction?.runs ?? 3,
        timeoutMs: config.reproduction?.timeout ?? 5 * MINUTE_MS,
        bisectMs: flags.bisectMs ?? config.reproduction?.bisect ?? null,
      },
      pullRequestIntervalMs: config.pullRequestInterval ?? 2 * MINUTE_MS,
      workspacePrefix: config.workspacePrefix ?? null,
      artifactsUrl: environment.actionsRunUrl,
    },
  };
}

function resolveTriageAgent(config: Config): TriageAgentSettings {
  const { kind = "claude-code", mode = "print", model = null, command, env = {} } = config.triageAgent ?? {};
  if (kind === "claude-code") return { kind, mode, model, env };
  const [program, ...rest] = command ?? [];
  if (program !== undefined) return { kind, command: [program, ...rest], env };
  throw new OperationalError<CliErrorCode>({
    code: "CONFIG_INVALID",
    message: "resolve the Triage Agent: triageAgent.kind is command, but triageAgent.command is missing",
    remedy: "Set triageAgent.command to the program and its arguments, e.g. [node, agent.mjs].",
  });
}

function resolveRepositories(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): readonly RepositoryName[] {
  if (flags.repo.length > 0) return [...new Set(flags.repo)];
  if (environment.repository !== null) return [environment.repository];
  if (config.repos !== undefined) return [...new Set(config.repos)];
  throw new OperationalError<CliErrorCode>({
    code: "REPOSITORY_NOT_NAMED",
    message:
      "choose the repository to triage: neither --repo, GITHUB_REPOSITORY nor the config file names one",
    remedy: "Add --repo owner/name.",
  });
}

function definedOnly<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
