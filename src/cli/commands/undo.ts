import type { Command } from "commander";
import { issueNumbers } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface UndoOptions {
  run: string;
  issue: number[];
  dryRun?: boolean;
  home?: string;
}

/** Declares `afk-triage undo`; its code is loaded when the command runs. */
export function addUndoCommand(program: Command, context: CommandContext): void {
  program
    .command("undo")
    .description("Reverts what a Triage Batch wrote to GitHub, where nothing has changed since.")
    .requiredOption("--run <id>", "the batch, e.g. 20261121T093000Z (see `afk-triage list`)")
    .option("--issue <number>", "only this issue (repeatable)", issueNumbers, [])
    .option("--dry-run", "say what would be taken back; write nothing")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage undo --run 20261121T093000Z --dry-run\n  afk-triage undo --run 20261121T093000Z --issue 142",
    )
    .action(async (options: UndoOptions) => {
      const { undoCommand } = await import("./undo-command.ts");
      context.exitWith(
        await undoCommand({ ...options, dryRun: options.dryRun ?? false }, await context.output()),
      );
    });
}
