import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { readEnvironment } from "../../config/index.ts";
import { resolveHome, sweptDirectory } from "../../home/index.ts";
import { openSweptLibrary, SWEEP_REPORT_FILES, sweepReport, writeSweepReport } from "../../sweep/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { placeReport } from "./report-directory.ts";

/** `report --sweep`: writes the verdicts of all sweeps of a home as a page, a table and a document. */
export async function makeSweepReport(
  request: { out: string; home?: string },
  output: Output,
): Promise<number> {
  const home = resolveHome(request.home, readEnvironment(process.env));
  const library = openSweptLibrary(sweptDirectory(home), systemIds(systemClock));
  const report = sweepReport(await library.everything(), systemClock.nowMs());
  const { directory, written: bytes } = await placeReport(
    request.out,
    new Set<string>(SWEEP_REPORT_FILES),
    (unfinished) => writeSweepReport(report, unfinished),
  );
  output.answer([`report of ${report.issues.length} verdicts: ${join(directory, "index.html")}`]);
  output.document({
    schema: "afk-triage/report@1",
    directory,
    files: SWEEP_REPORT_FILES.length,
    bytes,
  });
  return exitCodes.done;
}
