import { OperationalError } from "agent-tty/kit";
import { Command, CommanderError, Help } from "commander";
import type { ConfigErrorCode } from "../config/index.ts";
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
import { wrapWords } from "../layout/index.ts";
import { tolerateLostOutput } from "./lost-output.ts";
import {
  acceptJson,
  groupByTask,
  helpAsFlag,
  refuseEmptyHomes,
  refuseUnknownCommand,
} from "./grammar/index.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the program with `argv` (without node and script) and returns the exit code. A usage error is one line on stderr (with
 * `--json` one line of JSON) and exit code 2.
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const asJson = argv.includes("--json");
  const lostOutput = tolerateLostOutput();
  const output = async (): Promise<Output> => (await import("./output/index.ts")).processOutput({ asJson });
  const failed = async (error: unknown): Promise<number> =>
    (await import("./output/index.ts")).reportFailure(error, await output(), asJson);
  const exitCode = await runCommand(argv, { output, asJson }).catch(failed);
  const lost = await lostOutput.settle();
  if (lost === null) return exitCode;
  const lostCode = await failed(lost);
  return exitCode === exitCodes.done ? lostCode : exitCode;
}

/**
 * Runs a command and returns its exit code. Rejects with USAGE if the error has to be reported as JSON; otherwise commander has
 * already printed it.
 */
async function runCommand(
  argv: readonly string[],
  { output, asJson }: { output: CommandContext["output"]; asJson: boolean },
): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = buildProgram({ output, exitWith: (code) => void (exitCode = code) }, { asJson });
  try {
    const words = helpAsFlag(program, argv);
    refuseUnknownCommand(program, words);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    if (asJson) throw usageError(error);
    return exitCodes.usage;
  }
  return exitCode;
}

function usageError({ code, message }: CommanderError): OperationalError<ConfigErrorCode> {
  const seen = code === "commander.help" ? "no command is named" : onOneLine(message).replace(/^error: /, "");
  return new OperationalError({
    code: "USAGE",
    message: `read the command line: ${seen}`,
    remedy: "The command's --help has examples.",
  });
}

/** Returns a message on one line, because commander puts its suggestion on a second line. */
function onOneLine(message: string): string {
  return message.trim().replaceAll(/\s*\n\s*/g, " ");
}

/** The smallest width of a description in a help; a narrower one is not wrapped. Commander's own 40 does not fit 67 columns. */
const MIN_HELP_COLUMNS = 12;
const plainHelp = new Help();
const MORE = "More:";

/** Returns a description without the empty default of repeatable and optional values, because it has no meaning. */
function withoutEmptyDefault(description: string): string {
  return description.replace(/ \(default: (?:\[\]|"")\)$/, "");
}

/**
 * Returns text with its prose wrapped to the width of the terminal. Indented lines stay as they are: commander has laid them out,
 * or they are commands to copy.
 */
function wrappedProse(text: string, { isTTY, columns }: NodeJS.WriteStream): string {
  // A terminal without a known size reports 0.
  if (!isTTY || columns === 0) return text;
  const lines = text.split("\n").map((line) => (line.startsWith(" ") ? line : wrapWords(line, columns)));
  return lines.join("\n");
}

/**
 * Returns the whole grammar of the command line without running any command. With `asJson`, commander prints no errors and only
 * throws them.
 */
export function buildProgram(context: CommandContext, { asJson } = { asJson: false }): Command {
  const program = new Command("afk-triage")
    .description("Triages GitHub issues while maintainers are away from the keyboard.")
    .version(VERSION)
    // Options after a subcommand belong to it: in `release prep --version 1.2.0` the version is the release's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void process.stdout.write(wrappedProse(text, process.stdout)),
      writeErr: (text) => {
        if (!asJson) process.stderr.write(`${wrappedProse(text.trimEnd(), process.stderr)}\n`);
      },
      outputError: (text, write) => write(onOneLine(text)),
    })
    .addHelpCommand(
      new Command("help").argument("[command...]").description("the help of one command").helpGroup(MORE),
    )
    .commandsGroup(MORE)
    .configureHelp({
      minWidthToWrap: MIN_HELP_COLUMNS,
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
  refuseEmptyHomes(program);
  return program;
}
