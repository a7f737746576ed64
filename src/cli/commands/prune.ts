import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface PruneOptions {
  config?: string;
  home?: string;
  dryRun?: boolean;
}

/** Declares `afk-triage prune`; its code is loaded when the command runs. */
export function addPruneCommand(program: Command, context: CommandContext): void {
  program
    .command("prune")
    .description(
      "Removes files that the home no longer needs, by age and size; every batch does so when it ends.",
    )
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--dry-run", "say what would be removed and what stays, and why; change nothing")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage prune --dry-run\n  afk-triage prune --home /srv/afk-triage --json\n" +
        "\nWith GITHUB_TOKEN it can check which issues are closed; without it, every issue counts as open.",
    )
    .action(async (options: PruneOptions) => {
      const { pruneCommand } = await import("./prune-command.ts");
      const request = { ...options, dryRun: options.dryRun ?? false };
      context.exitWith(await pruneCommand(request, await context.output()));
    });
}
