import type { Flood } from "./flood.ts";
import { inChild } from "./measure.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const MIB = 1024 * 1024;
const LOADS = [
  ["seq", "of seq"],
  ["yes", "of yes"],
  ["lines", "of 150-column lines"],
] as const;

/** P5, P6 and P8: floods of output, and reads of their Event Logs afterwards. */
export async function outputRows(megabytes: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [load, title] of LOADS) {
    const small = await inChild<Flood>("flood.ts", [load, "1"]);
    const flood = await inChild<Flood>("flood.ts", [load, String(megabytes)]);
    rows.push(
      ...floodRows(`${megabytes} MB ${title}`, flood),
      ...tmuxRows(`${megabytes} MB ${title}`, flood),
      openingRow(`${megabytes} MB ${title}`, small, flood),
    );
  }
  return rows;
}

function floodRows(what: string, flood: Flood): BenchRow[] {
  const ratio = flood.sessionMs / flood.drainMs;
  const logRatio = (flood.logBytes + flood.checkpointBytes) / flood.outputBytes;
  const exportRate = flood.logBytes / flood.exportMs / 1000;
  return [
    judged(
      {
        row: "P5",
        what: `${what} to Run Completion`,
        measured: milliseconds(flood.sessionMs),
        rawLimit: `drain ${milliseconds(flood.drainMs)}, parse ${milliseconds(flood.parseMs)}`,
        ratio,
        requirement: "≤ 1.1 × the bare PTY's drain",
      },
      ratio <= 1.1,
    ),
    {
      row: "P5",
      what: `${what}: processor time of the host, to tell a busy machine from a slow engine`,
      measured: milliseconds(flood.sessionCpuMs),
      rawLimit: `draining ${milliseconds(flood.drainCpuMs)} + parse ${milliseconds(flood.parseMs)}`,
      ratio: flood.sessionCpuMs / (flood.drainCpuMs + flood.parseMs),
      requirement: "–",
      verdict: "information",
    },
    judged(
      {
        row: "P5",
        what: `${what}: RSS growth`,
        measured: `${(flood.rssGrowthBytes / MIB).toFixed(0)} MB`,
        rawLimit: "–",
        ratio: null,
        requirement: "≤ 64 MB",
      },
      flood.rssGrowthBytes <= 64 * MIB,
    ),
    judged(
      {
        row: "P5",
        what: `${what}: Event Log with its checkpoints`,
        measured: `${(logRatio * 100).toFixed(1)} % of the output`,
        rawLimit: "the output",
        ratio: logRatio,
        requirement: "≤ 1.1 ×",
      },
      logRatio <= 1.1,
    ),
    judged(
      {
        row: "P8",
        what: `${what}: asciicast export`,
        measured: `${exportRate.toFixed(0)} MB/s`,
        rawLimit: "–",
        ratio: null,
        requirement: "≥ 50 MB/s of Event Log",
      },
      exportRate >= 50,
    ),
  ];
}

function tmuxRows(what: string, { sessionMs, sessionCpuMs, tmux }: Flood): BenchRow[] {
  if (tmux === null) return [];
  const cpuRatio = sessionCpuMs / tmux.cpuMs;
  return [
    judged(
      {
        row: "P5",
        what: `${what}: beside tmux`,
        measured: milliseconds(sessionMs),
        rawLimit: `tmux ${milliseconds(tmux.ms)}`,
        ratio: sessionMs / tmux.ms,
        requirement: "faster",
      },
      sessionMs < tmux.ms,
    ),
    judged(
      {
        row: "P5",
        what: `${what}: processor time of the host beside tmux's`,
        measured: milliseconds(sessionCpuMs),
        rawLimit: `tmux ${milliseconds(tmux.cpuMs)}`,
        ratio: cpuRatio,
        requirement: "≤ 0.7 × tmux's",
      },
      cpuRatio <= 0.7,
    ),
  ];
}

function openingRow(what: string, small: Flood, flood: Flood): BenchRow {
  return judged(
    {
      row: "P6",
      what: `${what}: offline snapshot with cells, in process`,
      measured: milliseconds(flood.snapshotMs),
      rawLimit: `1 MB log: ${milliseconds(small.snapshotMs)}`,
      ratio: flood.snapshotMs / small.snapshotMs,
      requirement: "≤ 1 s, not growing",
    },
    flood.snapshotMs <= 1000,
  );
}
