import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Returns the program's home as an absolute path: `--home`, else AFK_TRIAGE_HOME, else `~/.afk-triage`. */
export function resolveHome(flag: string | undefined, environment: { home: string | null }): string {
  return resolve(flag ?? environment.home ?? defaultHome());
}

/** Returns the default home: `~/.afk-triage`. */
export function defaultHome(): string {
  return join(homedir(), ".afk-triage");
}

/** The SQLite file of runs and batches. */
export function storePath(home: string): string {
  return join(home, "store.sqlite");
}

/** Holds the files of every Triage Run, by batch. */
export function runsDirectory(home: string): string {
  return join(home, "runs");
}

/** Holds the records of `release prep`, by repository and version. */
export function releasesDirectory(home: string): string {
  return join(home, "releases");
}

/** Holds the results that Triage Runs have paid for and that are not published yet. */
export function checkpointsDirectory(home: string): string {
  return join(home, "checkpoints");
}

/** Holds the verdicts of sweeps on the issues that they have examined. */
export function sweptDirectory(home: string): string {
  return join(home, "sweeps");
}

/** Holds one home for each backtest, by its name. */
export function backtestsDirectory(home: string): string {
  return join(home, "backtests");
}

/** Holds the verified reproductions, by repository. */
export function reproductionsDirectory(home: string): string {
  return join(home, "reproductions");
}

/** Holds the issue indexes, one file per repository. */
export function duplicatesDirectory(home: string): string {
  return join(home, "duplicates");
}

/** S16: holds evidence of vulnerabilities. It is beside the home, because the home is uploaded and reported. */
export function privateEvidenceDirectory(home: string): string {
  return `${home}-private`;
}

/** Returns the absolute path of this machine's own config file, unless AFK_TRIAGE_CONFIG names another. */
export function defaultMachineConfig(): string {
  return join(homedir(), ".config", "afk-triage", "config.yml");
}
