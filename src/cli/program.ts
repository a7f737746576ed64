import { Command, CommanderError } from "commander";
import { addDemoCommand, addReapCommand, addRunCommand, addStatusCommands } from "./commands/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { reportFailure, type Output, processOutput } from "./output/index.ts";
import { VERSION } from "./version.ts";

/** What a command sets: the process ends with it once the event loop is empty. */
export interface CommandContext {
  output: Output;
  exitWith: (code: number) => void;
}

/** argv (without node and script) → exit code. Usage errors are one line on stderr and exit code 2. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const asJson = argv.includes("--json");
  const output = processOutput({ asJson });
  const context: CommandContext = { output, exitWith: (code) => void (exitCode = code) };
  const program = buildProgram(context);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportFailure(error, output, asJson);
  }
  return exitCode;
}

function buildProgram(context: CommandContext): Command {
  const program = new Command("afk-triage")
    .description("Triages GitHub issues while maintainers are away from the keyboard.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeErr: (text) => context.output.line(text.trimEnd()),
      outputError: (text, write) => write(text.split("\n")[0] ?? text),
    })
    .showSuggestionAfterError(false)
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage demo\n  afk-triage run --repo owner/name --dry-run\n  afk-triage run --repo owner/name --parallelism 10\n",
    );
  addRunCommand(program, context);
  addDemoCommand(program, context);
  addReapCommand(program, context);
  addStatusCommands(program, context);
  return program;
}
