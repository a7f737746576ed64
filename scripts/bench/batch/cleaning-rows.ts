import { inChild } from "../measure.ts";
import { type BenchRow, judged, milliseconds } from "../row.ts";
import type { CleaningFigures } from "./cleaning.ts";

/** S11: how quickly the output of a program that prints endlessly is searched and masked, and how long that holds the parent up. */
export async function cleaningRows(): Promise<BenchRow[]> {
  const figures = await inChild<CleaningFigures[]>("batch/cleaning.ts", ["4"]);
  return figures.map(({ flood, megabytesPerCpuSecond, longestBlockMs }) =>
    judged(
      {
        row: "S11",
        what: `cleaning of output (${flood}): a second of processor time; longest block of the event loop`,
        measured: `${megabytesPerCpuSecond.toFixed(0)} MB; ${milliseconds(longestBlockMs)}`,
        rawLimit: "–",
        ratio: null,
        requirement: "≥ 100 MB, ≤ 50 ms",
      },
      megabytesPerCpuSecond >= 100 && longestBlockMs <= 50,
    ),
  );
}
