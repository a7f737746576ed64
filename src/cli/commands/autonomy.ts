import { type Command, Option } from "commander";
import { outcomeKinds } from "../../trust/index.ts";
import { repositories } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { AutonomyRequest } from "./autonomy-command.ts";

/** Declares `afk-triage autonomy`; its code is loaded when the command runs. */
export function addAutonomyCommand(program: Command, context: CommandContext): void {
  program
    .command("autonomy")
    .description(
      "Shows and changes the autonomy of each kind of outcome: its level, its record, vetoes and releases.",
    )
    .option("--repo <owner/name>", "repository", repositories, [])
    .addOption(
      new Option("--veto <kind>", "lower this kind to suggest and lock it until it is released").choices(
        outcomeKinds,
      ),
    )
    .addOption(
      new Option("--release <kind>", "unlock this kind, so that it can earn trust again, starting from zero")
        .choices(outcomeKinds)
        .conflicts("veto"),
    )
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage autonomy --repo owner/name\n" +
        "  afk-triage autonomy --repo owner/name --veto close\n" +
        "  afk-triage autonomy --repo owner/name --release close\n" +
        "\nOnly kinds that the config file sets to `earned` are affected: see docs/trust.md.",
    )
    .action(async (options: AutonomyRequest) => {
      const { autonomyCommand } = await import("./autonomy-command.ts");
      context.exitWith(await autonomyCommand(options, await context.output()));
    });
}
