import { type Command, InvalidArgumentError } from "commander";
import type { Query } from "../../sweep/index.ts";
import { duration, issueNumbers, repositories, shard, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import { acceptBatchOptions, batchFlags, type BatchOptions } from "./batch-options.ts";

/** The options as commander parses them. */
interface SweepOptions extends BatchOptions {
  query?: string;
  olderThan?: number;
  label: string[];
  author?: string;
  milestone?: string;
  numbers?: NumberRange;
  triageAgent: boolean;
}

/** Declares `afk-triage sweep`; its code is loaded when the command runs. */
export function addSweepCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("sweep")
    .description("Verifies old open issues: still broken, fixed since, not reproduced, or not a bug.")
    .option("--repo <owner/name>", "repository to sweep (repeatable)", repositories, [])
    .option("--query <terms>", 'GitHub search terms, e.g. "label:bug created:<2024-01-01"')
    .option("--older-than <duration>", "only issues opened longer ago than this, e.g. 180d", duration)
    .option("--label <name>", "only issues with this label (repeatable)", texts, [])
    .option("--author <login>", "only issues of this person")
    .option("--milestone <title>", "only issues of this milestone")
    .option("--numbers <a..b>", "only issue numbers in this range, e.g. 100..200", numberRange)
    .option("--issue <n>", "only this issue (repeatable)", issueNumbers, [])
    .option("--dry-run", "show which issues would be examined, why, and the maximum cost; write nothing")
    .option("--no-triage-agent", "run only the reproductions in the issues, and start no Triage Agent")
    .option(
      "--max-issues <n>",
      "at most this many issues now; the next sweep continues",
      wholeNumber(1, 100_000),
    )
    .option("--shard <i/n>", "only the i-th of n parts of the backlog", shard);
  const budget = "start no further issue once this is spent";
  acceptBatchOptions(command, { part: "this part of the sweep", budget })
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage sweep --repo owner/name --older-than 180d --dry-run\n" +
        '  afk-triage sweep --repo owner/name --query "label:bug no:milestone" --max-issues 100\n' +
        "  afk-triage sweep --repo owner/name --numbers 1..500 --budget-usd 20\n" +
        "\nRun the command again to continue: an issue that has a verdict is not run again.\n" +
        "Exit codes: 0 done, 1 the sweep failed, 2 usage, 3 an issue failed, 4 preflight failed, 130/143 signalled.",
    )
    .action(async (options: SweepOptions, command: Command) => {
      const { parseQuery, sweepCommand } = await import("./sweep-command.ts");
      const parsed = parseQuery(options.query ?? "");
      if (parsed.type === "refused")
        command.error(
          `error: option '--query <terms>' term '${parsed.term}' is not known. Expected ${parsed.expected}.`,
        );
      const terms = parsed.type === "query" ? parsed.query : [];
      const request = {
        flags: {
          ...batchFlags(options),
          includeNeedsInfo: true,
          keepFailedMs: undefined,
          rangeMs: undefined,
        },
        query: [...terms, ...conditionsOf(options)],
        olderThanMs: options.olderThan ?? null,
        asksTriageAgent: options.triageAgent,
      };
      const view = {
        output: await context.output(),
        asJson: options.json ?? false,
        isVerbose: options.verbose ?? false,
      };
      context.exitWith(await sweepCommand(request, view));
    });
}

function texts(text: string, earlier: readonly string[]): string[] {
  return [...earlier, text];
}

interface NumberRange {
  from: number;
  to: number;
}

function numberRange(text: string): NumberRange {
  const [, from = "", to = ""] = /^(\d{1,9})\.\.(\d{1,9}|\*)$/.exec(text) ?? [];
  const range = { from: Number(from), to: to === "*" ? Number.POSITIVE_INFINITY : Number(to) };
  if (from !== "" && range.from <= range.to) return range;
  throw new InvalidArgumentError("Expected a range such as 100..200 or 100..*.");
}

function conditionsOf({ label, author, milestone, numbers }: SweepOptions): Query {
  const named = (type: "author" | "milestone", value: string): Query[number] => ({
    type,
    value: value.toLowerCase(),
    not: false,
  });
  return [
    ...(numbers === undefined ? [] : [{ type: "number" as const, ...numbers, not: false }]),
    ...label.map((one) => ({ type: "label" as const, anyOf: [one.toLowerCase()], not: false })),
    ...(author === undefined ? [] : [named("author", author)]),
    ...(milestone === undefined ? [] : [named("milestone", milestone)]),
  ];
}
