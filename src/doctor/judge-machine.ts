import { type DoctorCheck, failed, ok, warn } from "./doctor-check.ts";

/**
 * The first git version that reads settings from environment variables. In this way a credential reaches git without appearing in
 * argv.
 */
const GIT_MINIMUM = [2, 31] as const;
const MARKER_KEY_COMMAND = "export AFK_TRIAGE_MARKER_KEY=$(openssl rand -hex 32)";

/**
 * Returns the check of the output of `git --version`. It fails when the output contains no version, and warns when the version is
 * below GIT_MINIMUM.
 */
export function judgeGit(printed: string): DoctorCheck {
  const match = /(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?/.exec(printed);
  if (match === null)
    return failed("git", `\`git --version\` printed ${JSON.stringify(printed.slice(0, 80))}`, "Install git.");
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const isEnough = major > GIT_MINIMUM[0] || (major === GIT_MINIMUM[0] && minor >= GIT_MINIMUM[1]);
  if (isEnough) return ok("git", match[0]);
  const wanted = GIT_MINIMUM.join(".");
  return warn(
    "git",
    `${match[0]}: checkout.strategy bundle signs in to a private repository with ${wanted} or later only`,
    `Install git ${wanted} or later.`,
  );
}

/** Returns one check that fails with a list of all problems of environment variables. */
export function judgeEnvironment(problems: readonly { name: string; problem: string }[]): DoctorCheck {
  if (problems.length === 0) return ok("environment", "all variables are valid");
  return failed(
    "environment",
    problems.map(({ name, problem }) => `${name}: ${problem}`).join("; "),
    `Correct these, or: unset ${problems.map(({ name }) => name).join(" ")}`,
  );
}

/**
 * Returns a warning if more Triage Runs are allowed at a time than the machine (`local`) or the user's quota (`coder`) is likely to
 * allow. Each local Triage Agent builds and tests on this machine.
 */
export function judgeParallelism(facts: {
  parallelism: number;
  provider: "coder" | "local";
  processors: number;
}): DoctorCheck {
  const { parallelism, provider, processors } = facts;
  if (provider === "local" && parallelism > 2 * processors)
    return warn(
      "parallelism",
      `${parallelism} Triage Runs at a time share ${processors} processors with --provider local`,
      `export TRIAGE_PARALLELISM=${processors}`,
    );
  if (provider === "coder" && parallelism > 50)
    return warn(
      "parallelism",
      `${parallelism} Coder workspaces at a time: each counts against the Coder user's quota`,
      "Ask the Coder deployment's owner whether its quota allows for that many, or: export TRIAGE_PARALLELISM=20",
    );
  return ok("parallelism", `${parallelism} Triage Runs at a time`);
}

/** Returns the check of the signing key, of which it receives only the length in characters. */
export function judgeMarkerKey(keyLength: number | null, minimum: number): DoctorCheck {
  if (keyLength === null)
    return warn(
      "marker-key",
      "AFK_TRIAGE_MARKER_KEY is not set: triage notes are unsigned, so anyone who can edit our comments can forge them",
      `${MARKER_KEY_COMMAND}, and set the same key for every parent`,
    );
  if (keyLength < minimum)
    return failed(
      "marker-key",
      `AFK_TRIAGE_MARKER_KEY has ${keyLength} characters: a key of fewer than ${minimum} can be guessed`,
      MARKER_KEY_COMMAND,
    );
  return ok("marker-key", "triage notes are signed");
}

export interface HomeFacts {
  directory: string;
  /** Permission bits of the directory. */
  mode: number;
}

/** Returns the check of the home, which warns when the group or others have any permission on it. */
export function judgeHome({ directory, mode }: HomeFacts): DoctorCheck {
  if ((mode & 0o077) === 0) return ok("home", `${directory} is private and writable`);
  return warn(
    "home",
    `other users can enter ${directory} (mode ${(mode & 0o777).toString(8)}): its files are private, but their names are not`,
    `chmod 700 ${directory}`,
  );
}

/**
 * Returns the check of the clock. GitHub refuses an App's sign-in from a clock that is a minute ahead, and certificates may seem
 * expired.
 */
export function judgeClock(skewMs: number | null): DoctorCheck {
  if (skewMs === null)
    return { name: "clock", status: "skip", message: "GitHub did not say what time it is", remedy: null };
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const seen = `this clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} GitHub's`;
  const remedy = "sudo timedatectl set-ntp true";
  if (seconds > 300) return failed("clock", seen, remedy);
  return seconds > 30 ? warn("clock", seen, remedy) : ok("clock", "agrees with GitHub's");
}
