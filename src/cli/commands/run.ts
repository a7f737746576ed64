import type { Command } from "commander";
import type { RunFlags } from "../../config/index.ts";
import {
  duration,
  durationBetween,
  issueNumbers,
  repositories,
  shard,
  wholeNumber,
} from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import { acceptBatchOptions, batchFlags, type BatchOptions } from "./batch-options.ts";

/** The options as commander parses them. */
interface RunOptions extends BatchOptions {
  includeNeedsInfo: boolean;
  bisect?: number | true;
  keepFailed?: number;
}

/** Declares `afk-triage run`; its code is loaded when the command runs. */
export function addRunCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("run")
    .description("Runs one Triage Batch: triages every eligible issue, each in its own Coder workspace.")
    .option("--repo <owner/name>", "repository to triage (repeatable)", repositories, [])
    .option("--issue <n>", "only this issue, if it is eligible (repeatable)", issueNumbers, [])
    .option("--dry-run", "show eligibility with reasons; write nothing, create nothing")
    .option("--no-include-needs-info", "leave needs-info issues alone")
    .option("--max-issues <n>", "at most this many issues", wholeNumber(1, 100_000))
    .option("--shard <i/n>", "only the i-th of n parts of the backlog", shard)
    .option(
      "--keep-failed <duration>",
      "keep the Coder workspace of a failed run for inspection, 10m-24h; members of its group can read everything in it",
      durationBetween(10 * 60_000, 24 * 3_600_000, "10m to 24h"),
    )
    .option(
      "--bisect [duration]",
      "search for the first bad and first fixed version for at most this long (10m if no value is given)",
      duration,
    );
  acceptBatchOptions(command, { part: "the batch", budget: "start no further issue once this is spent" })
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage run --repo owner/name --dry-run\n" +
        "  afk-triage run --repo owner/name --issue 142 --provider local\n" +
        "  afk-triage run --repo owner/name --parallelism 10 --deadline 45m\n" +
        "\nEnvironment: GITHUB_TOKEN, CODER_URL, CODER_SESSION_TOKEN; see docs/configuration.md for all.\n" +
        "Exit codes: 0 done, 1 the batch failed, 2 usage, 3 an issue failed, 4 preflight failed, 130/143 signalled.",
    )
    .action(async (options: RunOptions) => {
      const { runBatchCommand } = await import("./run-batch-command.ts");
      context.exitWith(
        await runBatchCommand(flagsOf(options), {
          output: await context.output(),
          asJson: options.json ?? false,
          isVerbose: options.verbose ?? false,
        }),
      );
    });
}

const RANGE_MS = 10 * 60_000;

function flagsOf(options: RunOptions): RunFlags {
  return {
    ...batchFlags(options),
    includeNeedsInfo: options.includeNeedsInfo,
    keepFailedMs: options.keepFailed,
    rangeMs: options.bisect === true ? RANGE_MS : options.bisect,
  };
}
