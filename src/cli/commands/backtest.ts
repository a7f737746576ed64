import { type Command, InvalidArgumentError } from "commander";
import { repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import { acceptBatchOptions, anyIssueFlags, type BatchOptions } from "./batch-options.ts";

interface BacktestOptions extends BatchOptions {
  sample: number;
  seed: number;
  name?: string;
  compare?: string[];
}

/** Declares `afk-triage backtest`; its code is loaded when the command runs. */
export function addBacktestCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("backtest")
    .description(
      "Triages closed issues in the state in which they were filed, writes nothing, and compares the outcomes with what maintainers did.",
    )
    .option("--repo <owner/name>", "the repository", repositories, [])
    .option("--sample <n>", "closed issues to draw, 1-1000", wholeNumber(1, 1_000), 50)
    .option("--seed <n>", "the same seed draws the same issues", wholeNumber(0, 2 ** 31), 1)
    .option(
      "--name <name>",
      "the name of this backtest; the same name continues it (default: repository, seed and size)",
      plainName,
    )
    .option(
      "--compare <names...>",
      "compare two backtests of one sample: which is better, and is the cheaper one no worse",
    )
    .option("--dry-run", "draw the sample, say what it may cost, and run nothing");
  const budget = "spend no more than this in all parts together (default: twice the estimate)";
  acceptBatchOptions(command, { part: "this part of the backtest", budget })
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage backtest --repo owner/name --sample 30 --dry-run\n" +
        "  afk-triage backtest --repo owner/name --sample 30 --name small --config small.yml\n" +
        "  afk-triage backtest --repo owner/name --compare small large\n" +
        "\nRun it again to go on. Exit codes: 0 done, 1 it failed, 2 usage, 3 an issue failed, 4 preflight failed, 130/143 signalled.",
    )
    .action(async (options: BacktestOptions, command: Command) => {
      const { compare = [] } = options;
      if (compare.length !== 0 && compare.length !== 2)
        command.error("error: option '--compare <names...>' expected two names of backtests.");
      const { backtestCommand } = await import("./backtest-command.ts");
      const request = {
        flags: anyIssueFlags(options),
        sample: options.sample,
        seed: options.seed,
        name: options.name ?? null,
        compare,
      };
      const view = {
        output: await context.output(),
        asJson: options.json ?? false,
        isVerbose: options.verbose ?? false,
      };
      context.exitWith(await backtestCommand(request, view));
    });
}

function plainName(text: string): string {
  if (/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,79}$/.test(text)) return text;
  throw new InvalidArgumentError("Expected letters, digits, dots, dashes and underscores.");
}
