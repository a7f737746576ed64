import { type Command, Option } from "commander";
import { repositories } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface ReapOptions {
  repo: `${string}/${string}`[];
  provider?: "coder" | "local";
  config?: string;
  home?: string;
  dryRun?: boolean;
}

/** Declares `afk-triage reap`; its code is loaded when the command runs. */
export function addReapCommand(program: Command, context: CommandContext): void {
  program
    .command("reap")
    .description(
      "Deletes the Coder workspaces of dead parents, after verifying that they belong to afk-triage.",
    )
    .option("--repo <owner/name>", "repository whose Coder workspaces to reap (repeatable)", repositories, [])
    .addOption(new Option("--provider <name>", "where Triage Agents work").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--dry-run", "say what would be deleted and what would be kept, and why")
    .addHelpText("after", "\nExample:\n  afk-triage reap --repo owner/name --dry-run")
    .action(async (options: ReapOptions) => {
      const { reapCommand } = await import("./reap-command.ts");
      context.exitWith(
        await reapCommand({ ...options, dryRun: options.dryRun ?? false }, await context.output()),
      );
    });
}
