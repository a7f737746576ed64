import { join } from "node:path";

const SCRIPTS = join(import.meta.dirname, "../../scripts");

interface Output {
  write: (text: string) => void;
  complain: (text: string) => void;
}

/** Takes the arguments after the script's name and resolves with the exit code. */
type CommandLine = (argv: readonly string[], output: Output) => Promise<number>;

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the complete command line of a script within this process, because starting it as a process compiles half of the project.
 * Scripts import from test/, so a test cannot name their types.
 */
export async function runScript(
  module: "conformance/command-line.ts" | "record-tui/command-line.ts",
  name: "conformance" | "recordTui",
  argv: readonly string[],
): Promise<Ended> {
  const imported = (await import(join(SCRIPTS, module))) as Record<string, CommandLine>;
  const command = imported[name];
  if (command === undefined) throw new Error(`scripts/${module} has no ${name}`);
  const said = { stdout: "", stderr: "" };
  const exitCode = await command(argv, {
    write: (text) => void (said.stdout += text),
    complain: (text) => void (said.stderr += text),
  });
  return { exitCode, ...said };
}
