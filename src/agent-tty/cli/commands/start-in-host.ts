import { resolve } from "node:path";
import { type HostSpec, type LaunchedHost, launchHost, startHost } from "../../daemon/index.ts";
import type { Home } from "../../home/index.ts";
import { hostArguments } from "../host-argument.ts";
import { usageError } from "../usage.ts";

/** The facts about the host and its program that `create` and `restart` both print. */
export interface HostingArguments {
  /** `NAME=value`; added to the variables of this process. */
  env: readonly string[];
  logsInput: boolean;
  /** null: the program may be silent for any length of time. */
  idleTimeoutMs: number | null;
  maxLogBytes: number;
}

/** Makes `launched`, or this binary started again, the host process of one Session. Resolves when the host accepts commands. */
export async function startInHost(
  home: Home,
  start: HostSpec["start"],
  launched: LaunchedHost | null = null,
): Promise<{ sessionId: string; status: string; pid: number; hostPid: number }> {
  const spec = { homeDirectory: resolve(home.directory), start };
  const launch = (): LaunchedHost => launched ?? launchHost(hostArguments());
  const { sessionId, status, pid, hostPid } = await startHost(spec, { clock: home.clock, launch });
  return { sessionId, status, pid, hostPid };
}

/**
 * Returns the arguments of a host with this process's environment, plus the `NAME=value` assignments of `--env`. Throws USAGE for
 * an assignment in any other form.
 */
export function hostingOf(options: HostingArguments): Omit<HostingArguments, "env"> & {
  env: Record<string, string>;
} {
  // Copied by name, because the caller's options contain more than these.
  const { logsInput, idleTimeoutMs, maxLogBytes } = options;
  return { logsInput, idleTimeoutMs, maxLogBytes, env: childEnvironment(process.env, options.env) };
}

function childEnvironment(own: NodeJS.ProcessEnv, added: readonly string[]): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  for (const assignment of added) {
    const [, name, value] = /^([^=\0]+)=([^\0]*)$/s.exec(assignment) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`--env takes NAME=value, not ${JSON.stringify(assignment)}`, "Correct the flag");
    env[name] = value;
  }
  return env;
}
