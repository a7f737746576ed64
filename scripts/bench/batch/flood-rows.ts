import { type BenchRow, judged, milliseconds } from "../row.ts";
import { measureBatch } from "./measure-batch.ts";

const MIB = 1024 * 1024;
const LOAD = { issues: 12, cap: 12, buildMs: 2_000, agentMs: 10_000, deleteMs: 1_000 };
const FLOOD_MEGABYTES = 64;

/** S11: one Triage Agent that floods its terminal must not delay the other Triage Runs of its batch. */
export async function floodedBatchRows(): Promise<BenchRow[]> {
  const quiet = await measureBatch(LOAD);
  const flooded = await measureBatch({ ...LOAD, floodMegabytes: FLOOD_MEGABYTES });
  const what = `${LOAD.issues} issues, one of which prints ${FLOOD_MEGABYTES} MB`;
  const ratio = flooded.othersMs / quiet.othersMs;
  return [
    judged(
      {
        row: "S11",
        what: `${what}: until all others are finished`,
        measured: milliseconds(flooded.othersMs),
        rawLimit: `without the flood: ${milliseconds(quiet.othersMs)}`,
        ratio,
        requirement: "≤ 1.1 × without",
      },
      ratio <= 1.1 && flooded.totals.applied === LOAD.issues,
    ),
    judged(
      {
        row: "S11",
        what: `${what}: RSS of the parent`,
        measured: `${(flooded.peakRssBytes / MIB).toFixed(0)} MB`,
        rawLimit: `without the flood: ${(quiet.peakRssBytes / MIB).toFixed(0)} MB`,
        ratio: flooded.peakRssBytes / quiet.peakRssBytes,
        requirement: "≤ 400 MB",
      },
      flooded.peakRssBytes <= 400 * MIB,
    ),
  ];
}
