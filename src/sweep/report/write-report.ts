import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reportCsv } from "./report-csv.ts";
import { reportHtml } from "./report-html.ts";
import type { SweepReport } from "./sweep-report.ts";

export const SWEEP_REPORT_FILES = ["index.html", "sweep.csv", "sweep.json"] as const;

/** Writes the report as HTML, CSV and JSON into an existing directory. Returns the number of bytes. */
export async function writeSweepReport(report: SweepReport, directory: string): Promise<number> {
  const contents: Record<(typeof SWEEP_REPORT_FILES)[number], string> = {
    "index.html": reportHtml(report, null),
    "sweep.csv": reportCsv(report),
    "sweep.json": `${JSON.stringify(report, null, 1)}\n`,
  };
  for (const name of SWEEP_REPORT_FILES) await writeFile(join(directory, name), contents[name]);
  return Object.values(contents).reduce((sum, content) => sum + Buffer.byteLength(content), 0);
}
