import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { type BatchDocument, type BoardSource, writeReport, openBoardSource } from "../../board/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { resolveHome } from "../../home/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";

export interface ReportRequest {
  out: string;
  batch?: string;
  home?: string;
}

/** `report`: the files take their place at once, when all of them are there. */
export async function makeReport(request: ReportRequest, output: Output): Promise<number> {
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  await using source = openBoardSource(resolveHome(request.home, readEnvironment(process.env)), ports);
  const batch = await batchOf(source, request.batch ?? null);
  const directory = resolve(request.out);
  const unfinishedDirectory = `${directory}.unfinished`;
  await refuseTaken(directory);
  await refuseTaken(unfinishedDirectory);
  const unfinished = await emptyDirectory(unfinishedDirectory);
  const { files, bytes, withoutRecordings } = await writeReport({
    source,
    batch,
    directory: unfinished,
    pageDirectory: fileURLToPath(new URL("board/", import.meta.url)),
    ids: ports.ids,
  });
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  output.answer([`report of Triage Batch ${batch.runId}: ${join(directory, "index.html")}`]);
  if (withoutRecordings > 0)
    output.line(`${withoutRecordings} Triage Runs are in it without recordings: it would be too large`);
  output.document({ schema: "afk-triage/report@1", directory, files, bytes });
  return exitCodes.done;
}

async function batchOf(source: BoardSource, runId: string | null): Promise<BatchDocument> {
  const batch = runId === null ? (await source.batches(1))[0] : await source.batch(runId);
  if (batch !== undefined && batch !== null) return batch;
  throw new OperationalError<CliErrorCode>({
    code: "RUN_NOT_FOUND",
    message:
      runId === null
        ? "make a report: this home knows no Triage Batch"
        : `make a report: this home knows no Triage Batch ${runId}`,
    remedy:
      runId === null
        ? "Run one first: afk-triage run --repo owner/name. Another home is named with --home."
        : "Leave --batch out for the latest one; the run ids are in `afk-triage list` and in each summary.",
  });
}

const REPORT_NAMES: ReadonlySet<string> = new Set([
  "index.html",
  "board.js",
  "board.css",
  "board.svg",
  "data",
]);

/** Only an earlier report is overwritten, whole or not: nothing that somebody put beside its files. */
async function refuseTaken(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw taken(directory, messageOf(error));
  });
  const foreign = names.filter((name) => !REPORT_NAMES.has(name));
  if (foreign.length > 0) throw taken(directory, `it holds ${foreign.slice(0, 3).join(", ")}`);
}

async function emptyDirectory(directory: string): Promise<string> {
  try {
    await rm(directory, { recursive: true, force: true });
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory);
    return directory;
  } catch (error) {
    throw taken(directory, messageOf(error));
  }
}

function taken(directory: string, reason: string): OperationalError<CliErrorCode> {
  return new OperationalError<CliErrorCode>({
    code: "REPORT_DIRECTORY_TAKEN",
    message: `write a report to ${directory}: ${reason}`,
    remedy: "Name a directory with --out that is not there yet, or that holds an earlier report.",
  });
}
