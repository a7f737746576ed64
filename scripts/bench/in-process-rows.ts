import type { InProcess } from "./in-process.ts";
import { inChild } from "./measure.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const MIB = 1024 * 1024;

/** P3, P4 and P9: the time and memory that a Session takes in the process that hosts it. */
export async function inProcessRows(sessions: number): Promise<BenchRow[]> {
  const seen = await inChild<InProcess>("in-process.ts", [String(sessions)]);
  const rawLimit = `PTY round trip ${milliseconds(seen.roundTripMs)}`;
  const { median, p99 } = seen.runMs;
  return [
    judged(
      {
        row: "P3",
        what: "Waited Run of true, in process (median, p99)",
        measured: `${milliseconds(median)}, ${milliseconds(p99)}`,
        rawLimit,
        ratio: median / seen.roundTripMs,
        requirement: "≤ 2 ms, ≤ 10 ms",
      },
      median <= 2 && p99 <= 10,
    ),
    judged(
      {
        row: "P4",
        what: "Render Wait for text on the screen (median)",
        measured: milliseconds(seen.shownMs),
        rawLimit: "–",
        ratio: null,
        requirement: "≤ 5 ms",
      },
      seen.shownMs <= 5,
    ),
    judged(
      {
        row: "P4",
        what: "Render Wait from typing to echoed text (median)",
        measured: milliseconds(seen.appearingMs),
        rawLimit,
        ratio: seen.appearingMs / seen.roundTripMs,
        requirement: "≤ 10 ms",
      },
      seen.appearingMs <= 10,
    ),
    judged(
      {
        row: "P4",
        what: "processor time while waiting for 1 s",
        measured: milliseconds(seen.idleCpuMs),
        rawLimit: "–",
        ratio: null,
        requirement: "no polling (≤ 10 ms)",
      },
      seen.idleCpuMs <= 10,
    ),
    judged(
      {
        row: "P9",
        what: `memory of each of ${seen.sessions} live Sessions in one process`,
        measured: `${(seen.bytesPerSession / MIB).toFixed(2)} MB`,
        rawLimit: "–",
        ratio: null,
        requirement: "≤ 4 MB",
      },
      seen.bytesPerSession <= 4 * MIB,
    ),
  ];
}
