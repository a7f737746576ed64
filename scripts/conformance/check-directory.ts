import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "agent-tty/kit";
import { z } from "zod";
import { readRecording, readTruth, type Truth } from "../../test/support/tui-recordings/index.ts";
import type { CaseReport } from "./case-report.ts";
import type { Family } from "./family.ts";
import { trackRecording, type TrackedRecording } from "./tracking/track-recording.ts";
import { isSampledRecording, trackSampled } from "./tracking/track-sampled.ts";

export type FileReport =
  | { file: string; status: "covered"; cases: readonly CaseReport[] }
  /** A recording of a TUI that the tracker has read; `truth` is missing if there is no expected result. */
  | {
      file: string;
      status: "tracked";
      truth: "read" | "missing";
      tracked: TrackedRecording;
      cases: readonly CaseReport[];
    }
  /** A file that belongs to a recording in the same folder. */
  | { file: string; status: "companion" }
  | { file: string; status: "not-covered" }
  /** A file of a known family without the family's format; none of its cases was tried. */
  | { file: string; status: "unreadable"; problem: string };

const RECORDING = /\.rec\.jsonl(\.gz)?$/;
const COMPANION = /\.(truth\.json|server\.jsonl)$/;

/**
 * Checks every file below the directory with its family, in the order of their names. Rejects if the directory cannot be listed.
 */
export async function* checkDirectory(
  directory: string,
  families: readonly Family[],
): AsyncGenerator<FileReport> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, "/").length))
    .toSorted();
  const recorded = new Set(
    files.filter((file) => RECORDING.test(file)).map((file) => file.replace(RECORDING, "")),
  );
  for (const file of files) {
    const isCompanion = COMPANION.test(file) && recorded.has(file.replace(COMPANION, ""));
    yield isCompanion ? { file, status: "companion" } : await checkFile(directory, file, families);
  }
}

async function checkFile(directory: string, file: string, families: readonly Family[]): Promise<FileReport> {
  try {
    if (RECORDING.test(file)) return await checkRecording(directory, file);
    if (!/\.jsonl?$/.test(file)) return { file, status: "not-covered" };
    return await checkContent(file, await readFile(join(directory, file), "utf8"), families);
  } catch (error) {
    if (error instanceof z.ZodError) return { file, status: "unreadable", problem: z.prettifyError(error) };
    if (error instanceof SyntaxError || isDataError(error))
      return { file, status: "unreadable", problem: messageOf(error) };
    throw error;
  }
}

async function checkRecording(directory: string, file: string): Promise<FileReport> {
  const path = join(directory, file);
  const truth = await truthBeside(path);
  const tracked = trackRecording(await readRecording(path), truth);
  return { file, status: "tracked", truth: truth === null ? "missing" : "read", tracked, cases: [] };
}

async function truthBeside(path: string): Promise<Truth | null> {
  try {
    return await readTruth(path.replace(RECORDING, ".truth.json"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function checkContent(file: string, text: string, families: readonly Family[]): Promise<FileReport> {
  const named = families.find(({ files }) => files.test(basename(file)));
  const content = named === undefined ? parsedOrNull(file, text) : parseContent(file, text);
  if (content !== null && isSampledRecording(content))
    return { file, status: "tracked", truth: "read", ...trackSampled(content) };
  const family = named ?? families.find((one) => one.recognises(content));
  if (family === undefined) return { file, status: "not-covered" };
  return { file, status: "covered", cases: await family.check(content) };
}

/** Returns null if the content has no known format: a file without a known name need not have one. */
function parsedOrNull(file: string, text: string): unknown {
  try {
    return parseContent(file, text);
  } catch {
    return null;
  }
}

function parseContent(file: string, text: string): unknown {
  if (!file.endsWith(".jsonl")) return JSON.parse(text);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => JSON.parse(line));
}

/** Error codes of a damaged gzip file. */
function isDataError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code?.startsWith("Z_") === true;
}
