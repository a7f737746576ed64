import { Command, CommanderError, Help } from "commander";
import {
  addAutonomyCommand,
  addBacktestCommand,
  addCompletionCommand,
  addConfigCommand,
  addControlCommands,
  addDemoCommand,
  addDoctorCommand,
  addDuplicatesCommand,
  addEvalCommand,
  addFleetCommand,
  addInitCommand,
  addPruneCommand,
  addReapCommand,
  addReleaseCommands,
  addReportCommand,
  addRunCommand,
  addServeCommand,
  addStatusCommands,
  addSweepCommand,
  addTrackCommand,
  addUndoCommand,
  addVerifyCommand,
} from "./commands/index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output/index.ts";
import { tolerateLostOutput } from "./lost-output.ts";
import { acceptJson, groupByTask, helpAsFlag, refuseUnknownCommand } from "./grammar/index.ts";
import { VERSION } from "./version.ts";

/** argv (without node and script) → exit code. Usage errors are one line on stderr and exit code 2. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const asJson = argv.includes("--json");
  const lostOutput = tolerateLostOutput();
  const output = async (): Promise<Output> => (await import("./output/index.ts")).processOutput({ asJson });
  const failed = async (error: unknown): Promise<number> =>
    (await import("./output/index.ts")).reportFailure(error, await output(), asJson);
  const exitCode = await runCommand(argv, output).catch(failed);
  const lost = await lostOutput.settle();
  if (lost === null) return exitCode;
  const lostCode = await failed(lost);
  return exitCode === exitCodes.done ? lostCode : exitCode;
}

async function runCommand(argv: readonly string[], output: CommandContext["output"]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = buildProgram({ output, exitWith: (code) => void (exitCode = code) });
  try {
    const words = helpAsFlag(program, argv);
    refuseUnknownCommand(program, words);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  return exitCode;
}

const plainHelp = new Help();
const MORE = "More:";

/** Removes the empty default of repeatable and optional values from the help: it says nothing. */
function withoutEmptyDefault(description: string): string {
  return description.replace(/ \(default: (?:\[\]|"")\)$/, "");
}

/** argv's whole grammar, without running anything of it. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command("afk-triage")
    .description("Triages GitHub issues while maintainers are away from the keyboard.")
    .version(VERSION)
    // `release prep --version 1.2.0` is about the release.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeErr: (text) => void process.stderr.write(`${text.trimEnd()}\n`),
      // On one line, with the suggestion that commander puts on a second one.
      outputError: (text, write) => write(text.trim().replaceAll(/\s*\n\s*/g, " ")),
    })
    .addHelpCommand(
      new Command("help").argument("[command...]").description("the help of one command").helpGroup(MORE),
    )
    .commandsGroup(MORE)
    .configureHelp({
      optionDescription: (option) => withoutEmptyDefault(plainHelp.optionDescription(option)),
      argumentDescription: (argument) => withoutEmptyDefault(plainHelp.argumentDescription(argument)),
    })
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage demo\n  afk-triage run --repo owner/name --dry-run\n  afk-triage run --repo owner/name --parallelism 10\n",
    );
  addDemoCommand(program, context);
  addInitCommand(program, context);
  addDoctorCommand(program, context);
  addConfigCommand(program, context);
  addRunCommand(program, context);
  addFleetCommand(program, context);
  addVerifyCommand(program, context);
  addSweepCommand(program, context);
  addDuplicatesCommand(program, context);
  addBacktestCommand(program, context);
  addEvalCommand(program, context);
  addAutonomyCommand(program, context);
  addUndoCommand(program, context);
  addReapCommand(program, context);
  addPruneCommand(program, context);
  addStatusCommands(program, context);
  addReportCommand(program, context);
  addServeCommand(program, context);
  addTrackCommand(program, context);
  addControlCommands(program, context);
  addReleaseCommands(program, context);
  addCompletionCommand(program, context);
  groupByTask(program);
  acceptJson(program);
  return program;
}
