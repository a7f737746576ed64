import type { Command } from "commander";
import { repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface DuplicatesOptions {
  repo: `${string}/${string}`[];
  update?: boolean;
  requests?: number;
  limit: number;
  config?: string;
  home?: string;
}

/** Declares `afk-triage duplicates`; its code is loaded when the command runs. */
export function addDuplicatesCommand(program: Command, context: CommandContext): void {
  program
    .command("duplicates")
    .description("Shows the likely duplicates of an issue with the reasons, or the clusters of duplicates.")
    .argument("[issue]", "the issue's number", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option("--repo <owner/name>", "repository of the issue", repositories, [])
    .option("--update", "bring the issue index up to date with GitHub first")
    .option(
      "--requests <n>",
      "with --update: the maximum number of requests; each reads up to 100 issues",
      wholeNumber(1, 10_000),
    )
    .option("--limit <n>", "maximum number of candidates, 1-50", wholeNumber(1, 50), 5)
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage duplicates 142 --repo owner/name\n" +
        "  afk-triage duplicates --update --repo owner/name\n" +
        "  afk-triage duplicates --repo owner/name --json\n" +
        "\nWithout --update no request is sent to GitHub. Candidates are only similar; proven duplicates are marked.",
    )
    .action(async (issue: number | undefined, options: DuplicatesOptions) => {
      const { duplicatesCommand } = await import("./duplicates-command.ts");
      const { update, ...rest } = options;
      const request = { ...rest, issue: issue ?? null, isUpdate: update === true };
      context.exitWith(await duplicatesCommand(request, await context.output()));
    });
}
