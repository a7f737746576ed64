import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "agent-tty/kit";
import {
  type ArtifactKind,
  type BatchDocument,
  parseBoardRunId,
  type ReportIndex,
  type ReportRun,
  type RunRowDocument,
} from "../api/index.ts";
import { allRuns, type Artifact, type BoardSource } from "../server/index.ts";
import { ReportFiles } from "./report-files.ts";
import { reportPage } from "./report-page.ts";

export interface ReportOptions {
  source: BoardSource;
  batch: BatchDocument;
  /** The directory to write to. It must exist and be empty. */
  directory: string;
  /** The directory of the built page. */
  pageDirectory: string;
  ids: Ids;
  limits?: Partial<typeof reportLimits>;
}

/** The limits that keep a report small enough for a GitHub Actions artifact and a browser. */
export const reportLimits = {
  runs: 1_000,
  /** The largest recording, in base64 characters. Only the end of a longer recording is kept, and the page says so. */
  recordingCharacters: 2 * 1024 * 1024,
  /** The largest total of all recordings, in base64 characters; the runs after it have no recordings. */
  allRecordingsCharacters: 64 * 1024 * 1024,
  artifactBytes: 1024 * 1024,
  days: 30,
} as const;

export interface WrittenReport {
  files: number;
  bytes: number;
  /** The number of runs without a recording because of the total limit. */
  withoutRecordings: number;
}

const NONCE_BYTES = 16;
const DATA = "data";
const DATA_FILE = `${DATA}/report.js`;
const PAGE_FILES = ["start.js", "board.js", "terminal.js", "wide-characters.js", "board.css", "board.svg"];
/** The names in the directory of a report. */
export const reportNames: ReadonlySet<string> = new Set(["index.html", DATA, ...PAGE_FILES]);
/** The artifacts that are copied into a report. Recordings are omitted, because the report already contains their frames. */
const TAKEN: ReadonlySet<ArtifactKind> = new Set([
  "screenshot",
  "verification-screenshot",
  "outcome",
  "verification",
  "patch",
  "comment",
] as const);

/**
 * Writes the board's views of one Triage Batch as files that a browser opens without a server. Rejects when a file
 * cannot be written.
 */
export async function writeReport(options: ReportOptions): Promise<WrittenReport> {
  const { source, batch, directory, pageDirectory, ids } = options;
  const limits = { ...reportLimits, ...options.limits };
  const files = new ReportFiles(directory);
  const { runs } = await source.runs({
    ...allRuns,
    batch: batch.runId,
    sort: "issue",
    isDescending: false,
    limit: limits.runs,
  });
  const room = { characters: limits.allRecordingsCharacters };
  const index: ReportIndex = {
    schema: "afk-triage/report-index@1",
    batch,
    runs,
    timeline: await source.timeline(batch.runId),
    statistics: await source.statistics(limits.days),
    duplicates: await source.duplicates(),
    trust: await source.trust(null),
    files: {},
  };
  let withoutRecordings = 0;
  for (const [at, run] of runs.entries()) {
    const name = `data/run-${String(at + 1).padStart(4, "0")}`;
    const found = await reportRun(source, run, { name, files, limits, room });
    if (found === null) continue;
    if (found.terminals.length < found.run.terminals.length) withoutRecordings += 1;
    await files.writeData(`${name}.js`, found);
    index.files[run.id] = `${name}.js`;
  }
  await files.writeData(DATA_FILE, index);
  for (const name of PAGE_FILES) await files.write(name, await readFile(join(pageDirectory, name)));
  const page = await readFile(join(pageDirectory, "index.html"), "utf8");
  await files.write("index.html", reportPage(page, ids.hex(NONCE_BYTES), DATA_FILE));
  return { files: files.count, bytes: files.bytes, withoutRecordings };
}

interface RunPlace {
  /** The path of the run's files, without an extension. */
  name: string;
  files: ReportFiles;
  limits: typeof reportLimits & Partial<Record<keyof typeof reportLimits, number>>;
  room: { characters: number };
}

async function reportRun(
  source: BoardSource,
  row: RunRowDocument,
  place: RunPlace,
): Promise<ReportRun | null> {
  const key = parseBoardRunId(row.id);
  const run = key === null ? null : await source.run(key);
  const issue = key === null ? null : await source.issue(key);
  if (key === null || run === null || issue === null) return null;
  const terminals: ReportRun["terminals"] = [];
  for (const { name } of run.terminals) {
    if (place.room.characters <= 0) break;
    const recording = await source.recording(key, name, {
      type: "end",
      maxCharacters: place.limits.recordingCharacters,
    });
    if (recording === null) continue;
    for (const frame of recording.frames)
      if (frame.type === "output") place.room.characters -= frame.data.length;
    terminals.push({ name, recording, states: await source.states(key, name) });
  }
  const artifacts: ReportRun["artifacts"] = {};
  for (const { kind, sizeBytes } of run.artifacts) {
    if (!TAKEN.has(kind) || sizeBytes > place.limits.artifactBytes) continue;
    await using artifact = await source.artifact(key, kind);
    const bytes = artifact === null ? null : await bytesOf(artifact, place.limits.artifactBytes);
    if (artifact === null || bytes === null) continue;
    artifacts[kind] = `${place.name}-${kind}${endingOf(artifact.mediaType)}`;
    await place.files.write(artifacts[kind], bytes);
  }
  return { schema: "afk-triage/report-run@1", run, issue, terminals, artifacts };
}

/** Returns the bytes of an artifact; null when the file has grown beyond the limit in the meantime. */
async function bytesOf(artifact: Artifact, maxBytes: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of artifact.bytes) {
    size += piece.length;
    if (size > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns an extension that no browser executes, for files from a Coder workspace. */
function endingOf(mediaType: string): string {
  if (mediaType.startsWith("image/png")) return ".png";
  return mediaType.startsWith("application/json") ? ".json" : ".txt";
}
