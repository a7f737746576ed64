import { type Command, Option } from "commander";
import { duration, repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface VerifyOptions {
  all?: boolean;
  repo: `${string}/${string}`[];
  ref?: string;
  parallelism?: number;
  provider?: "coder" | "local";
  config?: string;
  runDeadline?: number;
  home?: string;
}

/** Declares `afk-triage verify`; its code is loaded when the command runs. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command("verify")
    .description(
      "Runs an issue's stored reproduction again, without a Triage Agent, and says whether the bug is fixed, still there or flaky.",
    )
    .argument("[issue]", "the issue's number", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option("--all", "every stored reproduction")
    .option("--repo <owner/name>", "repository of the issue (repeatable)", repositories, [])
    .option("--ref <ref>", "a branch, tag or commit instead of checkout.ref")
    .option("--parallelism <n>", "Coder workspaces at a time, 1-200 (default 5)", wholeNumber(1, 200))
    .addOption(new Option("--provider <name>", "where reproductions run").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--run-deadline <duration>", "end one verification after this, e.g. 20m (the default)", duration)
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage verify 142 --repo owner/name\n" +
        "  afk-triage verify --all --ref release-2.x --repo owner/name\n" +
        "\nExit codes: 0 every verdict is known, 1 nothing is stored, 2 usage, 3 a verification failed, 4 preflight failed.",
    )
    .action(async (issue: number | undefined, options: VerifyOptions, command: Command) => {
      if ((issue === undefined) === (options.all !== true))
        command.error("error: expected either the number of an issue or --all.");
      const { verifyCommand } = await import("./verify-command.ts");
      context.exitWith(await verifyCommand({ ...options, issue: issue ?? null }, await context.output()));
    });
}
