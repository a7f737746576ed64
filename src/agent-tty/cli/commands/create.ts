import { resolve } from "node:path";
import type { HostSpec, LaunchedHost } from "../../daemon/index.ts";
import type { Home } from "../../home/index.ts";
import type { CommandResult } from "../report.ts";
import { type HostingArguments, hostingOf, startInHost } from "./start-in-host.ts";

export interface CreateArguments extends HostingArguments {
  command: readonly string[];
  cols: number;
  rows: number;
  cwd: string;
  term: string;
  name: string | null;
}

/** Starts a Session in its own host process; resolves when the host accepts commands. */
export async function create(
  home: Home,
  options: CreateArguments,
  launched: LaunchedHost | null,
): Promise<CommandResult> {
  const { cols, rows, term, name } = options;
  const [program = process.env["SHELL"] ?? "/bin/sh", ...args] = options.command;
  const start = {
    type: "create",
    command: [program, ...args],
    cwd: resolve(options.cwd),
    cols,
    rows,
    term,
    name,
    ...hostingOf(options),
  } as const satisfies HostSpec["start"];
  const started = await startInHost(home, start, launched);
  const { sessionId } = started;
  return {
    result: { ...started, cols, rows, name },
    text: sessionId,
    made: `Session ${sessionId} is running`,
  };
}
