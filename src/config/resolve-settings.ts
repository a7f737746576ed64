import { resolve } from "node:path";
import { OperationalError } from "agent-tty/kit";
import type { RepositoryName } from "../github/index.ts";
import { writeDuration } from "../notation/index.ts";
import type { ConfigErrorCode } from "./config-error.ts";
import {
  chooseAutonomy,
  chooseCheckout,
  chooseCoder,
  chooseDuplicates,
  chooseEvidenceLocation,
  chooseLabels,
  chooseReproduction,
  chooseRetention,
  chooseSweep,
  chooseTriageAgent,
  noteRelease,
} from "./choose-sections.ts";
import { type ChosenSetting, type Choosing, startChoosing } from "./chosen-setting.ts";
import type { Config } from "./config-schema.ts";
import type { RunEnvironment } from "./environment.ts";
import { defaultHome, privateEvidenceDirectory } from "../home/index.ts";
import type { ProgramSettings, RunFlags } from "./program-settings.ts";

const MINUTE_MS = 60_000;

/** Resolves the settings of `run` and similar commands. Fails with REPOSITORY_NOT_NAMED or CONFIG_INVALID. */
export function resolveSettings(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): ProgramSettings {
  const { settings } = chooseSettings(flags, environment, config);
  if (settings.batch.repos.length > 0) return settings;
  throw new OperationalError<ConfigErrorCode>({
    code: "REPOSITORY_NOT_NAMED",
    message:
      "choose the repository to triage: neither --repo, GITHUB_REPOSITORY nor the config file names one",
    remedy: "Add --repo owner/name.",
  });
}

/** The settings, also without a repository, and where each came from. Fails with CONFIG_INVALID. */
export function chooseSettings(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): { settings: ProgramSettings; chosen: readonly ChosenSetting[] } {
  const { choose, chosen } = startChoosing();
  const repositories = {
    flag: ["--repo", flags.repo.length === 0 ? undefined : flags.repo],
    variable: ["GITHUB_REPOSITORY", environment.repository === null ? null : [environment.repository]],
    file: config.repos,
  } as const;
  const repos = [...new Set(choose<readonly RepositoryName[]>("repos", repositories, []))];
  const provider = choose(
    "provider",
    { flag: ["--provider", flags.provider], file: config.provider },
    "coder",
  );
  const homeFrom = {
    flag: ["--home", flags.home],
    variable: ["AFK_TRIAGE_HOME", environment.home],
  } as const;
  const home = resolve(choose("home", homeFrom, defaultHome()));
  const keepEvidence = choose("security.keepEvidence", { file: config.security?.keepEvidence }, "none");
  const settings: ProgramSettings = {
    home,
    provider,
    triageAgent: chooseTriageAgent(config.triageAgent ?? {}, choose),
    coder: chooseCoder(environment, config.coder ?? {}, choose),
    sweep: chooseSweep(config.sweep ?? {}, choose),
    retention: chooseRetention(config.retention ?? {}, choose),
    batch: {
      repos,
      onlyIssues: flags.issue,
      dryRun: flags.dryRun,
      includeNeedsInfo: flags.includeNeedsInfo,
      maxIssues: flags.maxIssues ?? null,
      shard: flags.shard ?? null,
      batchDeadlineMs: flags.deadlineMs ?? null,
      evidenceLocation: chooseEvidenceLocation(environment, config.evidence ?? {}, choose),
      privateEvidence: keepEvidence === "private" ? privateEvidenceDirectory(home) : null,
      ...chooseLimits(flags, environment, config, choose),
      autonomy: chooseAutonomy(config.autonomy ?? {}, choose),
      labels: chooseLabels(config.labels ?? {}, choose),
      checkout: chooseCheckout(config.checkout ?? {}, choose),
      reproduction: chooseReproduction(flags, config.reproduction ?? {}, choose),
      duplicates: chooseDuplicates(config.duplicates ?? {}, choose),
    },
  };
  noteRelease(config.release ?? {}, choose);
  return { settings, chosen };
}

type Choose = Choosing["choose"];

function chooseLimits(flags: RunFlags, environment: RunEnvironment, config: Config, choose: Choose) {
  const { budget = {} } = config;
  const parallelism = {
    flag: ["--parallelism", flags.parallelism],
    variable: ["TRIAGE_PARALLELISM", environment.parallelism],
    file: config.parallelism,
  } as const;
  const runDeadline = { flag: ["--run-deadline", flags.runDeadlineMs], file: config.runDeadline } as const;
  const runUsd = { flag: ["--run-budget-usd", flags.runBudgetUsd], file: budget.runUsd } as const;
  const batchUsd = { flag: ["--budget-usd", flags.budgetUsd], file: budget.batchUsd } as const;
  return {
    parallelism: choose("parallelism", parallelism, 5),
    runDeadlineMs: choose("runDeadline", runDeadline, 20 * MINUTE_MS, writeDuration),
    budget: {
      runUsd: choose<number | null>("budget.runUsd", runUsd, null),
      batchUsd: choose<number | null>("budget.batchUsd", batchUsd, null),
      runTokens: choose<number | null>("budget.runTokens", { file: budget.runTokens }, null),
      batchTokens: choose<number | null>("budget.batchTokens", { file: budget.batchTokens }, null),
      runsPerAuthor: choose<number | null>("budget.runsPerAuthor", { file: budget.runsPerAuthor }, null),
    },
    needsInfoActivity: choose("needsInfo.activity", { file: config.needsInfo?.activity }, "reporter"),
    cooldownMs: choose("cooldown", { file: config.cooldown }, 7 * 24 * 60 * MINUTE_MS, writeDuration),
    sessionLogBytes: choose("sessionLogMib", { file: config.sessionLogMib }, 256) * 1024 ** 2,
    pullRequestIntervalMs: choose(
      "pullRequestInterval",
      { file: config.pullRequestInterval },
      2 * MINUTE_MS,
      writeDuration,
    ),
    workspacePrefix: choose<string | null>("workspacePrefix", { file: config.workspacePrefix }, null),
  } as const;
}
