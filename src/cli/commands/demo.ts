import { type Command, Option } from "commander";
import { wholeNumber } from "../grammar/index.ts";
import type { DemoOptions } from "./demo-command.ts";
import type { CommandContext } from "../command-context.ts";

/** Declares `afk-triage demo`; its code is loaded when the command runs. */
export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command("demo")
    .description(
      "Runs a whole Triage Batch on this machine, with an emulated GitHub and local Coder workspaces; needs no account.",
    )
    .addOption(
      new Option("--triage-agent <kind>", "the Triage Agent: the demo's own program, or the real Claude Code")
        .choices(["scripted", "claude-code"])
        .default("scripted"),
    )
    .addOption(
      new Option("--mode <mode>", "how Claude Code is driven").choices(["print", "tui"]).default("print"),
    )
    .option("--parallelism <n>", "Triage Runs at a time", wholeNumber(1, 200), 4)
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage demo\n  ANTHROPIC_API_KEY=… afk-triage demo --triage-agent claude-code --parallelism 1",
    )
    .action(async (options: DemoOptions) => {
      const { demoCommand } = await import("./demo-command.ts");
      context.exitWith(
        await demoCommand(options, { output: await context.output(), asJson: options.json ?? false }),
      );
    });
}
