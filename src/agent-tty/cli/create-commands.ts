import type { StopSignal } from "./stop-signal.ts";
import type { Command } from "commander";
import type { LaunchedHost } from "../daemon/index.ts";
import { openCommandHome } from "./command-home.ts";
import type { HostingArguments } from "./commands/start-in-host.ts";
import { durationMs, oneOf, usageError, wholeNumber } from "./usage.ts";
import type { Finish } from "./report.ts";

interface HostingOptions {
  home?: string;
  env: string[];
  stdinLog: string;
  idleTimeout?: string;
  maxLogMib: string;
}

interface CreateOptions extends HostingOptions {
  cols: string;
  rows: string;
  cwd: string;
  term: string;
  name?: string;
}

/**
 * Adds the commands that start a program in its own host process. `launched`: a host process that was started ahead of time for
 * `create`.
 */
export function addCreateCommands(
  add: (name: string, description: string) => Command,
  signal: StopSignal,
  finish: Finish,
  launched: LaunchedHost | null,
): void {
  const create = add("create [command...]", "start a program in a new Session: create -- CMD ARG…")
    .passThroughOptions()
    .option("--cols <n>", "columns", "120")
    .option("--rows <n>", "rows", "40")
    .option("--cwd <dir>", "working directory of the program", ".")
    .option("--term <term>", "TERM of the program", "xterm-256color")
    .option("--name <name>", "a name for people");
  withHosting(create).action(async (command: string[], options: CreateOptions) => {
    const [cols, rows] = [wholeNumber("--cols", options.cols, 1), wholeNumber("--rows", options.rows, 1)];
    const { cwd, term, name = null } = options;
    const hosting = hostingArguments(options);
    // A signal must not end the command between the Session's start and the report of its id.
    signal();
    const { create: start } = await import("./commands/create.ts");
    const home = await openCommandHome(options.home);
    finish("create", await start(home, { command, cols, rows, cwd, term, name, ...hosting }, launched));
  });

  const restart = add("restart <id>", "start the program of an exited Session again, after a separator");
  withHosting(restart).action(async (id: string, options: HostingOptions) => {
    const hosting = hostingArguments(options);
    const { restart: start } = await import("./commands/restart.ts");
    finish("restart", await start(await openCommandHome(options.home), id, hosting));
  });
}

function withHosting(command: Command): Command {
  return command
    .option("--env <name=value...>", "variables added to this process's own", collect, [])
    .option("--stdin-log <on|off>", "off keeps typed input out of the Event Log", "on")
    .option(
      "--idle-timeout <duration>",
      "end the program after this long without input and output, such as 30m",
    )
    .option("--max-log-mib <n>", "size of the Event Log above which its middle is dropped", "256");
}

function hostingArguments({ env, stdinLog, idleTimeout, maxLogMib }: HostingOptions): HostingArguments {
  const logsInput = oneOf("--stdin-log", stdinLog, ["on", "off"]) === "on";
  const idleTimeoutMs = idleTimeout === undefined ? null : idleTimeoutOf(idleTimeout);
  const maxLogBytes = wholeNumber("--max-log-mib", maxLogMib, 8) * 1024 ** 2;
  return { env, logsInput, idleTimeoutMs, maxLogBytes };
}

const LONGEST_IDLE_MS = 2_147_483_647;

function idleTimeoutOf(text: string): number {
  const idleMs = durationMs("--idle-timeout", text);
  if (idleMs > 0 && idleMs <= LONGEST_IDLE_MS) return idleMs;
  throw usageError(`--idle-timeout takes from 1ms to 24d, not ${text}`, "Correct the flag");
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
