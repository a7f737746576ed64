import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { plainText } from "../../github/index.ts";
import {
  collectEvidence,
  type Git,
  prepareRelease,
  type PrepOptions,
  type PrepStep,
  type PrepSummary,
  verificationEnvironment,
  type VersionWish,
} from "../../release/index.ts";
import { createCanaryDetector } from "../../triage/index.ts";
import { chooseAll, defaultRunFlags, readConfig, readEnvironment } from "../../config/index.ts";
import { releasesDirectory, resolveHome, openProgramHome } from "../../home/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputCleaner } from "../wiring/index.ts";
import { formatDuration, type Output } from "../output/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { takeExclusiveLock } from "../../store/index.ts";
import { currentRepository, type ReleaseOptions } from "./release-repository.ts";

export interface ReleasePrepOptions extends ReleaseOptions {
  bump?: "major" | "minor" | "patch";
  version?: string;
  versionFile: string[];
  setup: string[];
  verify: string[];
  verifyTimeout: number;
  push?: boolean;
  dryRun?: boolean;
  config?: string;
}

/** `afk-triage release prep`. Returns 1 when a verification command failed. */
export async function releasePrepCommand(given: ReleasePrepOptions, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => prepare(given, output, signals));
}

async function prepare(given: ReleasePrepOptions, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const git = await currentRepository(signals.stop);
  const options = await prepOptions(given, git);
  const directory = resolveHome(given.home, environment);
  const ids = systemIds(systemClock);
  using home = await openProgramHome(directory, { clock: systemClock, ids });
  using cleaner = outputCleaner(createCanaryDetector(environment.secrets));
  const summary = await prepareRelease(options, {
    git,
    releasesDirectory: releasesDirectory(directory),
    collectEvidence: (request) =>
      collectEvidence(request, {
        sessions: home.sessions,
        env: verificationEnvironment(process.env),
        cleanSession: async (session) => (await cleaner.clean(session, signals.stop)) === null,
        onCommand: (command) => output.line(`verifying: ${command}`),
        signal: signals.stop,
      }),
    takeLock: takeExclusiveLock,
    clock: systemClock,
    ids,
    observe: (step) => tell(step, output),
  });
  output.document(summary);
  output.answer(describe(summary));
  const isFailed = summary.status === "verification-failed";
  return signals.exitCode() ?? (isFailed ? exitCodes.batchFailed : exitCodes.done);
}

/** Returns the options of `release prep`. Flags take precedence over the config file, which takes precedence over the defaults. */
async function prepOptions(given: ReleasePrepOptions, git: Git): Promise<PrepOptions> {
  const environment = readEnvironment(process.env);
  const config = await readConfig(given.config ?? null, environment);
  const { release } = chooseAll(defaultRunFlags, environment, config).resolved;
  const hasLock = existsSync(join(git.directory, "package-lock.json"));
  const firstGiven = <Configured>(flags: readonly string[], configured: Configured) =>
    flags.length > 0 ? flags : configured;
  return {
    remote: given.remote,
    wish: versionWish(given),
    versionFiles: firstGiven(given.versionFile, release.versionFiles),
    setup: firstGiven(given.setup, release.setup) ?? (hasLock ? ["npm ci"] : []),
    verify: firstGiven(given.verify, release.verify),
    verifyTimeoutMs: given.verifyTimeout,
    push: given.push ?? false,
    dryRun: given.dryRun ?? false,
  };
}

function versionWish({ bump, version }: ReleasePrepOptions): VersionWish {
  if (version !== undefined) return { type: "exact", version };
  return bump === undefined ? { type: "choose" } : { type: "bump", level: bump };
}

/** Reports the steps that take time, or change something outside the home. */
function tell(step: PrepStep, output: Output): void {
  if (step === "locked") output.line("fetching the default branch and its tags");
  if (step === "branch-set") output.line("the release branch is written");
  if (step === "pushed") output.line("the release branch is pushed");
}

function describe({ version, reasons, branch, verification, status, next }: PrepSummary): string[] {
  const failed = verification?.commands.find(({ exitCode }) => exitCode !== 0);
  return [
    `v${version}: ${plainText(reasons.join("; "))}`,
    ...(verification?.commands ?? []).map(
      ({ command, exitCode, end, durationMs }) =>
        `  ${command}: ${exitCode === null ? end : `exit code ${exitCode}`} after ${formatDuration(durationMs)}`,
    ),
    ...(failed === undefined ? [] : [failed.output]),
    `${status}: ${branch.name}${branch.commit === null ? "" : ` at ${branch.commit.slice(0, 8)}`}`,
    ...next.map((command) => `next: ${command}`),
  ];
}
