import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FiledIssue } from "./backlog.ts";
import { playBacklog, type PlayReport, type PlayRequest } from "./play.ts";

export interface BatchesRequest extends Omit<PlayRequest, "directory" | "say"> {
  /** The directory for the reports of finished batches and the home of each batch. */
  directory: string;
  /** The number of issues per batch. */
  size: number;
  /** Identifies the source of the batches, so that a report from another source is not reused. */
  source: string;
  say: (line: string) => void;
}

/**
 * Plays a backlog in batches, each with its own emulated GitHub and home, because an emulated GitHub ends with its process. The
 * kills are spread over the batches. A batch whose report is in `directory` is not played again, so a stopped script can be
 * continued.
 */
export async function playInBatches(request: BatchesRequest): Promise<PlayReport> {
  const { issues, size, kills, say } = request;
  const batches = divided(issues, size);
  const reports: PlayReport[] = [];
  for (const [index, batch] of batches.entries()) {
    const killsHere =
      Math.floor(((index + 1) * kills) / batches.length) - Math.floor((index * kills) / batches.length);
    const name = `batch ${index + 1} of ${batches.length}`;
    const report = await playOnce(
      { ...request, issues: batch, kills: killsHere, seed: request.seed + index },
      index,
    );
    say(
      `${name}: ${report.played.length} issues, ${report.killed} kills, ${Math.round(report.wallSeconds)} s`,
    );
    reports.push(report);
  }
  return merged(reports);
}

async function playOnce(request: BatchesRequest, index: number): Promise<PlayReport> {
  const { directory, issues, source, kills, jobs, say } = request;
  const file = join(directory, "reports", `${index}.json`);
  const key = JSON.stringify({
    source,
    kills,
    jobs,
    issues: issues.map(({ pair, product }) => [pair, product.repo]),
  });
  const done = await readDone(file);
  if (done?.key === key) return done.report;
  const home = join(directory, "batches", String(index));
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(home, { recursive: true });
  const report = await playBacklog({ ...request, directory: home, say: (line) => say(`  ${line}`) });
  await mkdir(join(directory, "reports"), { recursive: true });
  await writeFile(`${file}.partial`, JSON.stringify({ key, report }));
  await rename(`${file}.partial`, file);
  return report;
}

/** Reads a report that an earlier run wrote; null: there is none. */
async function readDone(file: string): Promise<{ key: string; report: PlayReport } | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as { key: string; report: PlayReport });
}

function divided(issues: readonly FiledIssue[], size: number): FiledIssue[][] {
  return Array.from({ length: Math.ceil(issues.length / size) }, (_, index) =>
    issues.slice(index * size, (index + 1) * size),
  );
}

function merged(reports: readonly PlayReport[]): PlayReport {
  const sum = (of: (report: PlayReport) => number): number =>
    reports.reduce((total, one) => total + of(one), 0);
  const verified = reports.flatMap(({ verify }) => verify ?? []);
  return {
    played: reports.flatMap(({ played }) => played),
    killed: sum(({ killed }) => killed),
    wallSeconds: sum(({ wallSeconds }) => wallSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    idle: [0, 1].map((round) => counted(reports.map(({ idle }) => idle[round] ?? {}))),
    verify:
      verified.length === 0
        ? null
        : {
            issues: verified.reduce((total, { issues }) => total + issues, 0),
            wallSeconds: verified.reduce((total, { wallSeconds }) => total + wallSeconds, 0),
            cpuSeconds: verified.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0),
          },
    left: reports.flatMap(({ left }) => left),
  };
}

function counted(all: readonly Record<string, number>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [key, count] of all.flatMap((one) => Object.entries(one)))
    counts[key] = (counts[key] ?? 0) + count;
  return counts;
}
