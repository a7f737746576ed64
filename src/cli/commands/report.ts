import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ReportRequest } from "./report-command.ts";

/** Declares `report`, which writes the board's views of one Triage Batch as files. */
export function addReportCommand(program: Command, context: CommandContext): void {
  program
    .command("report")
    .description(
      "Writes the board's views of one Triage Batch as files that a browser opens without a server.",
    )
    .requiredOption("--out <dir>", "output directory: absent, empty, or with an earlier report in it")
    .option("--batch <run-id>", "run id of the Triage Batch (default: the latest)")
    .option("--sweep", "the verdicts of all sweeps instead: a page, a CSV table and a JSON document")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage report --out report\n  afk-triage report --out report --batch 20261121T093000Z\n" +
        "  afk-triage report --out sweep --sweep",
    )
    .action(async (options: ReportRequest & { sweep?: true }, command: Command) => {
      if (options.sweep === true) {
        if (options.batch !== undefined) command.error("error: expected either --sweep or --batch.");
        const { makeSweepReport } = await import("./sweep-report-command.ts");
        return context.exitWith(await makeSweepReport(options, await context.output()));
      }
      const { makeReport } = await import("./report-command.ts");
      context.exitWith(await makeReport(options, await context.output()));
    });
}
