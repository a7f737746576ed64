import { resolve } from "node:path";
import { OperationalError } from "agent-tty/kit";
import type { RepositoryName } from "../github/index.ts";
import type { BatchSettings } from "../triage/index.ts";
import type { ConfigErrorCode, RunEnvironment } from "./environment.ts";
import { chooseAll, chooseOne, type ChosenSetting, type ResolvedConfig } from "./choose-settings.ts";
import type { Config } from "./config-schema.ts";
import { defaultHome, privateEvidenceDirectory } from "../home/index.ts";
import type { ProgramSettings, RunFlags, TriageAgentSettings } from "./program-settings.ts";
import type { SettingFacts } from "./setting.ts";

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
    message: "choose a repository: neither --repo, GITHUB_REPOSITORY nor the config file names one",
    remedy: "Add --repo owner/name.",
  });
}

/** Returns the settings, even without a repository, and the source of each. Fails with CONFIG_INVALID. */
export function chooseSettings(
  flags: RunFlags,
  environment: RunEnvironment,
  config: Config,
): { settings: ProgramSettings; chosen: readonly ChosenSetting[] } {
  const { resolved, chosen } = chooseAll(flags, environment, config);
  const [chosenHome, homeSetting] = chooseOne("home", homeFacts(), { flags, environment });
  const home = resolve(chosenHome);
  const { coder, fleet, sweep, retention } = resolved;
  if (flags.keepFailedMs !== undefined && resolved.provider === "local") throw nothingToKeep();
  const settings: ProgramSettings = {
    home,
    provider: resolved.provider,
    triageAgent: triageAgentOf(resolved.triageAgent),
    coder,
    sweep: {
      closes: sweep.close,
      graceMs: sweep.grace,
      commentsPerDay: sweep.commentsPerDay,
      recheckMs: sweep.recheck,
      asksTriageAgent: sweep.triageAgent,
    },
    fleet: {
      perRepository: fleet.perRepository,
      perOwner: fleet.perOwner,
      pollMs: fleet.poll,
      quietMs: fleet.quiet,
      graceMs: fleet.grace,
      budget: fleet.budget,
    },
    retention: {
      ageMs: retention.age === "off" ? null : retention.age,
      sizeBytes: retention.size === "off" ? null : retention.size,
    },
    batch: batchSettingsOf(resolved, { flags, environment, home }),
  };
  return { settings, chosen: [homeSetting, ...chosen] };
}

function nothingToKeep(): OperationalError<ConfigErrorCode> {
  return new OperationalError<ConfigErrorCode>({
    code: "CONFIG_INVALID",
    message:
      "keep the Coder workspaces of failed runs: --keep-failed needs a Coder deployment, and the provider is local",
    remedy: "Omit --keep-failed; the recording and the outcome of a failed local run are in the home anyway.",
  });
}

/** The home is not a key of the config file, because a config file in the home could not be found without it. */
const homeFacts = (): SettingFacts<string> => ({
  meaning: "Where recordings and records are kept.",
  owner: "machine",
  fallback: defaultHome(),
  flag: ["--home", ({ home }) => home],
  variable: ["AFK_TRIAGE_HOME", ({ home }) => home],
});

function triageAgentOf(resolved: ResolvedConfig["triageAgent"]): TriageAgentSettings {
  const { kind, mode, model, waitForPerson: waitForPersonMs, env } = resolved;
  if (kind === "claude-code") return { kind, mode, model, waitForPersonMs, env };
  const [program, ...rest] = resolved.command;
  if (program !== undefined) return { kind, command: [program, ...rest], env };
  throw new OperationalError<ConfigErrorCode>({
    code: "CONFIG_INVALID",
    message: "resolve the Triage Agent: triageAgent.kind is command, but triageAgent.command is missing",
    remedy: "Set triageAgent.command to the program and its arguments, e.g. [node, agent.mjs].",
  });
}

function batchSettingsOf(
  resolved: ResolvedConfig,
  { flags, environment, home }: { flags: RunFlags; environment: RunEnvironment; home: string },
): BatchSettings {
  const { autonomy, budget, checkout, coder, duplicates, labels, reproduction, security } = resolved;
  const { keepFailedMs } = flags;
  return {
    inspection: keepFailedMs === undefined ? null : { keepMs: keepFailedMs, limit: coder.inspectionLimit },
    repos: distinct(resolved.repos),
    firewallLog: coder.firewallLog,
    onlyIssues: flags.issue,
    dryRun: flags.dryRun,
    includeNeedsInfo: flags.includeNeedsInfo,
    maxIssues: flags.maxIssues ?? null,
    shard: flags.shard ?? null,
    batchDeadlineMs: flags.deadlineMs ?? null,
    evidenceLocation: evidenceLocationOf(environment, resolved.evidence.url),
    privateEvidence: security.keepEvidence === "private" ? privateEvidenceDirectory(home) : null,
    parallelism: resolved.parallelism,
    runDeadlineMs: resolved.runDeadline,
    needsInfoActivity: resolved.needsInfo.activity,
    cooldownMs: resolved.cooldown,
    sessionLogBytes: resolved.sessionLogMib * 1024 ** 2,
    pullRequestIntervalMs: resolved.pullRequestInterval,
    workspacePrefix: resolved.workspacePrefix,
    autonomy,
    suggestsNatively: resolved.native.suggestions === "auto",
    budget,
    checkout,
    labels,
    reproduction: {
      place: reproduction.place,
      runs: reproduction.runs,
      timeoutMs: reproduction.timeout,
      rangeMs: reproduction.range,
    },
    duplicates: {
      candidates: duplicates.candidates,
      requests: duplicates.requests,
      proofs: duplicates.proofs,
      proofMs: duplicates.proofTime,
      close: duplicates.close,
    },
  };
}

/** Artifacts of the Actions run exist without any setting, so they take precedence (V8). */
function evidenceLocationOf(
  { actionsRunUrl }: RunEnvironment,
  url: string | null,
): BatchSettings["evidenceLocation"] {
  if (actionsRunUrl !== null) return { type: "actions-run", url: actionsRunUrl };
  return url === null ? { type: "home" } : { type: "base", url };
}

/** Returns each repository once, as it is first spelled: GitHub ignores case in names. */
function distinct(repos: readonly RepositoryName[]): RepositoryName[] {
  return [...new Map(repos.toReversed().map((repo) => [repo.toLowerCase(), repo])).values()].toReversed();
}
