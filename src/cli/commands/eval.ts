import { type Command, Option } from "commander";
import { evaluationGroups } from "../../trust/index.ts";
import { repositories } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { EvalRequest } from "./eval-command.ts";

/** Declares `afk-triage eval`; its code is loaded when the command runs. */
export function addEvalCommand(program: Command, context: CommandContext): void {
  program
    .command("eval")
    .description(
      "Shows how maintainers reacted to past outcomes: acceptance, overrides, replies, and the cost per accepted outcome.",
    )
    .option("--repo <owner/name>", "only this repository (repeatable)", repositories, [])
    .addOption(
      new Option("--by <group>", "print one line for each of these groups")
        .choices(evaluationGroups)
        .default("kind"),
    )
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage eval\n" +
        "  afk-triage eval --repo owner/name --by week\n" +
        "  afk-triage eval --by model --json\n" +
        "\nWhat counts as accepted is in docs/trust.md. The JSON document holds all groups.",
    )
    .action(async (options: EvalRequest) => {
      const { evalCommand } = await import("./eval-command.ts");
      context.exitWith(await evalCommand(options, await context.output()));
    });
}
