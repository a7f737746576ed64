import { shellQuote, writeWorkspaceFile } from "../../workspaces/index.ts";
import type { ControlFile, Launch, PreflightContext, TriageFiles } from "../triage-agent.ts";

/**
 * Variables for the Triage Agent only. They reach it through a file in the control directory, never through argv or the
 * terminal, so no value shows in a process list, the Event Log or a recording.
 *
 * How the model's credential gets there: on Coder the template puts it into the Coder workspace (its environment or a
 * logged-in Claude Code), and nothing is passed here but what is not secret. The local provider hands nothing of this
 * machine on, so there the caller passes the credential here, explicitly, or the Triage Agent has none.
 */
export type TriageAgentEnvironment = Readonly<Record<string, string>>;

/** Where the started process group's id is found, for stopping it from outside its terminal. */
export function processGroupFile({ control }: TriageFiles): string {
  return `${control}/triage-agent.pid`;
}

/**
 * Writes the script that starts a Triage Agent and gives the command line that runs it. `command` is shell text, run in
 * the Session's working directory.
 */
export async function writeLaunchScript(
  { workspace, files, signal }: PreflightContext,
  environment: TriageAgentEnvironment,
  command: string,
): Promise<string> {
  const bytes = Buffer.from(launchScript(processGroupFile(files), environment, command));
  await writeWorkspaceFile(workspace, scriptFile(files), bytes, {}, signal);
  return launchLine(files);
}

/** The script alone, for a command whose program is `command[0]`. */
export function launchOf(
  command: readonly [string, ...string[]],
  environment: TriageAgentEnvironment,
  files: TriageFiles,
): Launch & { files: readonly [ControlFile] } {
  const line = `exec ${command.map(shellQuote).join(" ")}`;
  const text = launchScript(processGroupFile(files), environment, line);
  return { program: command[0], files: [{ path: scriptFile(files), text }] };
}

/** Runs the script that was written. */
export function launchLine(files: TriageFiles): string {
  return `bash ${shellQuote(scriptFile(files))}`;
}

function scriptFile({ control }: TriageFiles): string {
  return `${control}/triage-agent.sh`;
}

function launchScript(pidFile: string, environment: TriageAgentEnvironment, command: string): string {
  const exports = Object.entries(environment).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`not a variable's name: ${name}`);
    return `export ${name}=${shellQuote(value)}`;
  });
  return [
    "#!/usr/bin/env bash",
    // bash has the file open; what the variables hold need not stay on the disk.
    'rm -f -- "$0"',
    `echo "$$" >${shellQuote(pidFile)}`,
    ...exports,
    "set -o pipefail",
    command,
    "",
  ].join("\n");
}
