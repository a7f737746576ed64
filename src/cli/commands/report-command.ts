import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import {
  type BatchDocument,
  type BoardSource,
  reportNames,
  writeReport,
  openBoardSource,
} from "../../board/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { resolveHome } from "../../home/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { placeReport } from "./report-directory.ts";

export interface ReportRequest {
  out: string;
  batch?: string;
  home?: string;
}

/** Runs `report`. All files are written first and then moved into place at once. */
export async function makeReport(request: ReportRequest, output: Output): Promise<number> {
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  const home = resolveHome(request.home, readEnvironment(process.env));
  await using source = openBoardSource(home, ports);
  const batch = await batchOf(source, request.batch ?? null, home);
  const { directory, written } = await placeReport(request.out, reportNames, (unfinished) =>
    writeReport({
      source,
      batch,
      directory: unfinished,
      pageDirectory: fileURLToPath(new URL("board/", import.meta.url)),
      ids: ports.ids,
    }),
  );
  const { files, bytes, withoutRecordings } = written;
  output.answer([`report of Triage Batch ${batch.runId}: ${join(directory, "index.html")}`]);
  if (withoutRecordings > 0)
    output.line(`${withoutRecordings} Triage Runs are in it without recordings: it would be too large`);
  output.document({ schema: "afk-triage/report@1", directory, files, bytes });
  return exitCodes.done;
}

async function batchOf(source: BoardSource, runId: string | null, home: string): Promise<BatchDocument> {
  const batch =
    runId === null ? (await source.batches({ limit: 1, after: null })).batches[0] : await source.batch(runId);
  if (batch !== undefined && batch !== null) return batch;
  throw new OperationalError<CliErrorCode>({
    code: "RUN_NOT_FOUND",
    message:
      runId === null
        ? `make a report: the home ${home} has no Triage Batch`
        : `make a report: the home ${home} has no Triage Batch ${runId}`,
    remedy:
      runId === null
        ? "Run one first: afk-triage run --repo owner/name. Use --home to choose another home."
        : "Omit --batch for the latest one; the run ids are in `afk-triage list` and in each summary.",
  });
}
