import { resolve } from "node:path";
import { startHost } from "../../daemon/index.ts";
import type { Home } from "../../home/index.ts";
import { HOST_ARGUMENT } from "../host-argument.ts";
import type { CommandResult } from "../report.ts";
import { usageError } from "../usage.ts";

export interface CreateArguments {
  command: readonly string[];
  cols: number;
  rows: number;
  cwd: string;
  /** `NAME=value`; added to the variables of this process. */
  env: readonly string[];
  term: string;
  name: string | null;
  logsInput: boolean;
}

/** Starts a Session in a host process of its own; returns once it takes commands. */
export async function create(home: Home, options: CreateArguments): Promise<CommandResult> {
  const { cols, rows, term, name, logsInput } = options;
  const [program = process.env["SHELL"] ?? "/bin/sh", ...args] = options.command;
  const ready = await startHost(
    {
      homeDirectory: resolve(home.directory),
      session: {
        command: [program, ...args],
        cwd: resolve(options.cwd),
        env: childEnvironment(process.env, options.env),
        cols,
        rows,
        term,
        name,
        logsInput,
      },
    },
    { clock: home.clock, argv: [...process.execArgv, process.argv[1] ?? "", HOST_ARGUMENT] },
  );
  const { sessionId, status, pid, hostPid } = ready;
  return { result: { sessionId, status, pid, hostPid, cols, rows, name }, text: sessionId };
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
