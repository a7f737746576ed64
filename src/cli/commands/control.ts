import { type Command, Option } from "commander";
import { duration, repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface ControlOptions {
  home?: string;
  repo: `${string}/${string}`[];
  json?: boolean;
}

interface WatchOptions extends ControlOptions {
  every: number;
  for?: number;
}

interface RestoreOptions extends ControlOptions {
  provider?: "coder" | "local";
  config?: string;
}

const DEFAULT_EVERY_MS = 5_000;

/**
 * Declares `stop`, `kill`, `send`, `watch`, `attach` and `restore`, which act on one Triage Run from another process than its
 * batch.
 */
export function addControlCommands(program: Command, context: CommandContext): void {
  addStopCommands(program, context);
  addSendCommand(program, context);
  addWatchCommands(program, context);
  addRestoreCommand(program, context);
}

function addStopCommands(program: Command, context: CommandContext): void {
  const end =
    (how: "stop" | "kill") =>
    async (number: number, options: ControlOptions): Promise<void> => {
      const { endRun } = await import("./stop-command.ts");
      context.exitWith(await endRun(how, number, options, await context.output()));
    };
  onRun(program, "stop", "Stops one Triage Run of a running batch; the issue is left as it was.")
    .addHelpText("after", "\nExample:\n  afk-triage stop 142 --repo owner/name")
    .action(end("stop"));
  onRun(
    program,
    "kill",
    "Marks one Triage Run as terminated and stops it at once, so that nothing can resume it.",
  )
    .addHelpText("after", "\nExample:\n  afk-triage kill 142")
    .action(end("kill"));
}

function addSendCommand(program: Command, context: CommandContext): void {
  onRun(program, "send", "Types text into the terminal of a Triage Agent, if it is ready for input.")
    .argument("<text>", "the text to type")
    .addHelpText("after", '\nExample:\n  afk-triage send 142 "The failing test is in test/widget.test.ts"')
    .action(async (number: number, text: string, options: ControlOptions) => {
      const { sendText } = await import("./send-command.ts");
      context.exitWith(await sendText(number, text, options, await context.output()));
    });
}

function addWatchCommands(program: Command, context: CommandContext): void {
  onRun(program, "watch", "Prints the state of one Triage Run at intervals until it ends; changes nothing.")
    .addOption(
      new Option("--every <duration>", "the interval between two reads")
        .argParser(duration)
        .default(DEFAULT_EVERY_MS, "5s"),
    )
    .option("--for <duration>", "stop watching after this long", duration)
    .addHelpText("after", "\nExample:\n  afk-triage watch 142 --every 30s --for 10m")
    .action(async (number: number, options: WatchOptions) => {
      const { watchRun } = await import("./watch-command.ts");
      context.exitWith(await watchRun(number, options, await context.output()));
    });
  onRun(
    program,
    "attach",
    "Shows the terminal of one Triage Run live until it ends; detaching changes nothing.",
  )
    .addHelpText("after", "\nExample:\n  afk-triage attach 142")
    .action(async (number: number, options: ControlOptions) => {
      const { attachToRun } = await import("./attach-command.ts");
      context.exitWith(await attachToRun(number, options, await context.output()));
    });
}

function addRestoreCommand(program: Command, context: CommandContext): void {
  onRun(program, "restore", "Runs a terminated Triage Run once more, in a new Coder workspace and Session.")
    .addOption(new Option("--provider <name>", "where Triage Agents work").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .addHelpText("after", "\nExample:\n  afk-triage restore 142 --repo owner/name")
    .action(async (number: number, options: RestoreOptions) => {
      const { restoreRun } = await import("./restore-command.ts");
      const view = { output: await context.output(), asJson: options.json ?? false };
      context.exitWith(await restoreRun(number, options, view));
    });
}

function onRun(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("<n>", "issue number", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--repo <owner/name>", "only this repository (repeatable)", repositories, []);
}
