import type { Command } from "commander";
import { repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface StatusOptions {
  home?: string;
  repo: `${string}/${string}`[];
  refresh?: boolean;
  log?: boolean;
  limit?: number;
}

/**
 * Declares `status`, `list` and `show N`, which read the store of the home. Without `--refresh` they write nothing and use no
 * network.
 */
export function addStatusCommands(program: Command, context: CommandContext): void {
  const home = ["--home <dir>", "the program's home (default ~/.afk-triage)"] as const;
  const repo = ["--repo <owner/name>", "only this repository (repeatable)", repositories, []] as const;
  const refresh = ["--refresh", "first read the issues' pull requests from GitHub"] as const;
  const answer = async (view: "status" | "list", options: StatusOptions): Promise<void> => {
    const { listRuns } = await import("./status-command.ts");
    context.exitWith(await listRuns(view, options, await context.output()));
  };
  program
    .command("status")
    .description("Lists the Triage Runs in progress, with their status.")
    .option(...home)
    .option(...repo)
    .addHelpText("after", "\nExample:\n  afk-triage status")
    .action((options: StatusOptions) => answer("status", options));
  program
    .command("list")
    .description("Lists the latest Triage Run of every known issue, newest batch first.")
    .option(...home)
    .option(...repo)
    .option("--limit <n>", "show at most this many (default 100)", wholeNumber(1, 1_000_000))
    .option(...refresh)
    .addHelpText("after", "\nExample:\n  afk-triage list --repo owner/name --refresh")
    .action((options: StatusOptions) => answer("list", options));
  program
    .command("show")
    .description("Shows the latest Triage Run of one issue, and where its evidence is.")
    .argument("<n>", "issue number", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option(...home)
    .option(...repo)
    .option(...refresh)
    .option("--log", "print the log lines of this Triage Run instead, as JSON lines")
    .addHelpText("after", "\nExample:\n  afk-triage show 142 --repo owner/name")
    .action(async (number: number, options: StatusOptions) => {
      const { showRun } = await import("./status-command.ts");
      context.exitWith(await showRun(number, options, await context.output()));
    });
}
