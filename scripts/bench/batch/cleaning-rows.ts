import { inChild } from "../measure.ts";
import { type BenchRow, judged, milliseconds } from "../row.ts";
import type { CleaningFigures } from "./cleaning.ts";

/** S11: how quickly the output of a program that prints endlessly is searched and masked, and how long that blocks the parent. */
export async function cleaningRows(): Promise<BenchRow[]> {
  const figures = await inChild<CleaningFigures[]>("batch/cleaning.ts", ["4"]);
  return figures.map(
    ({ flood, megabytesPerCpuSecond, megabytesPerSecond, threads, longestBlockMs, longestBlockBesideMs }) =>
      judged(
        {
          row: "S11",
          what: `cleaning of output (${flood}) in ${threads} threads; longest block of the parent's event loop`,
          measured: `${megabytesPerSecond.toFixed(0)} MB/s, ${megabytesPerCpuSecond.toFixed(0)} MB per CPU second; ${milliseconds(longestBlockMs)}`,
          rawLimit: `block beside busy threads: ${milliseconds(longestBlockBesideMs)}`,
          ratio: null,
          requirement: "≥ 100 MB/s, ≤ 50 ms (or as beside)",
        },
        megabytesPerSecond >= 100 && longestBlockMs <= Math.max(50, longestBlockBesideMs),
      ),
  );
}
