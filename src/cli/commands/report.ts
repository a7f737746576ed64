import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ReportRequest } from "./report-command.ts";

/** `report`: the board's views of one Triage Batch as files. */
export function addReportCommand(program: Command, context: CommandContext): void {
  program
    .command("report")
    .description(
      "Writes the board's views of one Triage Batch as files that a browser opens without a server.",
    )
    .requiredOption("--out <dir>", "output directory: absent, empty, or with an earlier report in it")
    .option("--batch <run-id>", "run id of the Triage Batch (default: the latest)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage report --out report\n  afk-triage report --out report --batch 20261121T093000Z",
    )
    .action(async (options: ReportRequest) => {
      const { makeReport } = await import("./report-command.ts");
      context.exitWith(await makeReport(options, await context.output()));
    });
}
