import { type Command, InvalidArgumentError, Option } from "commander";
import { repository } from "../grammar/index.ts";
import { cronProblem } from "../../notation/index.ts";
import type { InitOptions, InitPart } from "./init-command.ts";
import type { CommandContext } from "../command-context.ts";

const PARTS = ["labels", "config", "workflow", "sweep"] as const satisfies readonly InitPart[];

/** Declares `afk-triage init`; its code is loaded when the command runs. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command("init")
    .description("Sets up a repository: creates config file, workflow and labels, after showing the changes.")
    .option(
      "--repo <owner/name>",
      "the repository (default: GITHUB_REPOSITORY, or git's remote origin)",
      repository,
    )
    .addOption(
      new Option("--only <part>", "set up only this part (repeatable)")
        .choices(PARTS)
        .argParser((text: string, earlier: InitPart[]) => [...earlier, part(text)])
        .default([], "all but sweep"),
    )
    .addOption(
      new Option("--provider <name>", "where Triage Agents work")
        .choices(["coder", "local"])
        .default("coder"),
    )
    .option("--coder-template <name>", "the Coder template", "triage")
    .option("--careful", "propose closes, and let the other outcomes earn their autonomy: see docs/trust.md")
    .option("--cron <expression>", "the schedule of the workflow", cron, "23 */2 * * *")
    .option("--sweep-cron <expression>", "the schedule of the sweep's workflow", cron, "37 2 * * *")
    .option("--template-config <file>", "use this template for the config file")
    .option("--template-workflow <file>", "use this template for the workflow")
    .option(
      "--config <file>",
      "config file that renames labels (default .github/afk-triage.yml, if there is one)",
    )
    .option("--force", "overwrite a file that differs")
    .option("--dry-run", "show what would be done, and do nothing")
    .option("--yes", "do not ask for confirmation")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage init --repo owner/name --dry-run\n" +
        "  afk-triage init --repo owner/name --yes\n" +
        "  afk-triage init --repo owner/name --careful --yes\n" +
        "  afk-triage init --repo owner/name --only labels\n" +
        "  afk-triage init --repo owner/name --only sweep\n" +
        "\nRun it in the root of the checkout. Exit codes: 0 done, or the answer was no; 1 a file differs or a step failed; 2 usage or no --yes;\n" +
        "4 GitHub cannot be asked: no token, or it is refused; 130/143 signalled.",
    )
    .action(async (options: InitOptions) => {
      const { initCommand } = await import("./init-command.ts");
      context.exitWith(await initCommand(options, await context.output()));
    });
}

function part(text: string): InitPart {
  const found = PARTS.find((each) => each === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Expected one of ${PARTS.join(", ")}.`);
}

function cron(text: string): string {
  const problem = cronProblem(text);
  if (problem === null) return text;
  throw new InvalidArgumentError(`Expected five fields in UTC, such as "23 */2 * * *": ${problem}.`);
}
