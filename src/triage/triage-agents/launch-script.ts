import { shellQuote } from "agent-tty/kit";
import { writeWorkspaceFile } from "../../workspaces/index.ts";
import type { ControlFile, Launch, PreflightContext, TriageFiles } from "../triage-agent.ts";

/**
 * Variables for the Triage Agent only. They are passed in a file in the control directory, never in argv or through the terminal,
 * so no value appears in a process list, the Event Log or a recording.
 *
 * How the Triage Agent gets the model's credential: on Coder, the template puts it into the Coder workspace (its environment or a
 * logged-in Claude Code), and only values that are not secret are passed here. The local provider passes on no variables of this
 * machine, so the caller has to pass the credential here explicitly; otherwise the Triage Agent has none.
 */
export type TriageAgentEnvironment = Readonly<Record<string, string>>;

/**
 * Returns the path of the file that holds the id of the started process group, so that the group can be stopped from outside its
 * terminal.
 */
export function processGroupFile({ control }: TriageFiles): string {
  return `${control}/triage-agent.pid`;
}

/**
 * Writes the script that starts a Triage Agent, and returns the command line that runs it. `command` is shell text, run in
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

/** Returns the program (`command[0]`) and the launch script of a command, without writing the script. */
export function launchOf(
  command: readonly [string, ...string[]],
  environment: TriageAgentEnvironment,
  files: TriageFiles,
): Launch & { files: readonly [ControlFile] } {
  const line = `exec ${command.map(shellQuote).join(" ")}`;
  const text = launchScript(processGroupFile(files), environment, line);
  return { program: command[0], files: [{ path: scriptFile(files), text }] };
}

/** Returns the command line that runs the written script. */
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
    // bash already has the file open, so the values of the variables need not stay on disk.
    'rm -f -- "$0"',
    `echo "$$" >${shellQuote(pidFile)}`,
    ...exports,
    "set -o pipefail",
    command,
    "",
  ].join("\n");
}
