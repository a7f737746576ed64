import { type BenchRow, judged, milliseconds } from "../row.ts";
import { type CapacityScenario, simulateCapacity } from "./capacity.ts";
import { type BatchFigures, type BatchLoad } from "./simulated-batch.ts";

const MIB = 1024 * 1024;

/** P11: how much CPU and memory a Triage Batch takes in its parent, and how close it comes to the ideal schedule. */
export function batchRows(load: BatchLoad, figures: BatchFigures): BenchRow[] {
  const what = `${load.issues} issues at cap ${load.cap}`;
  const cpuMs = figures.cpuMs / load.issues;
  const ratio = figures.wallMs / figures.idealMs;
  return [
    judged(
      {
        row: "P11",
        what: `${what}: processor time of the parent, an issue`,
        measured: milliseconds(cpuMs),
        rawLimit: "–",
        ratio: null,
        requirement: "≤ 30 ms",
      },
      cpuMs <= 30,
    ),
    {
      row: "P11",
      what: `${what}: processor time outside the parent, an issue`,
      measured: `its programs ${milliseconds(figures.childCpuMs / load.issues)}`,
      rawLimit: `the simulated GitHub ${milliseconds(figures.githubCpuMs / load.issues)}`,
      ratio: null,
      requirement: "none",
      verdict: "information",
    },
    judged(
      {
        row: "P11",
        what: `${what}: whole batch`,
        measured: milliseconds(figures.wallMs),
        rawLimit: `builds, Triage Agents and deletions alone: ${milliseconds(figures.idealMs)}`,
        ratio,
        requirement: "≤ 1.05 × the ideal schedule",
      },
      ratio <= 1.05,
    ),
    judged(
      {
        row: "P11",
        what: `${what}: RSS of the parent`,
        measured: `${(figures.peakRssBytes / MIB).toFixed(0)} MB`,
        rawLimit: `by tenths of the time: ${figures.rssBytesByTenth.map((bytes) => (bytes / MIB).toFixed(0)).join(" ")}`,
        ratio: null,
        requirement: "≤ 250 MB",
      },
      figures.peakRssBytes <= 250 * MIB,
    ),
    judged(
      {
        row: "A27",
        what: `${what}: Coder workspaces at once, and left over; issues applied`,
        measured: `${figures.peakWorkspaces}, ${figures.workspacesLeft}; ${figures.totals.applied}`,
        rawLimit: "–",
        ratio: null,
        requirement: `≤ ${load.cap}, 0; ${load.issues}`,
      },
      figures.peakWorkspaces <= load.cap &&
        figures.workspacesLeft === 0 &&
        figures.totals.applied === load.issues,
    ),
  ];
}

const MINUTE_MS = 60_000;
const DEPLOYMENT = {
  buildMs: MINUTE_MS,
  runMs: 8 * MINUTE_MS,
  deleteMs: MINUTE_MS / 4,
  provisioners: 30,
  // Coder's default limit of one user; https://coder.com/docs/reference/cli/server
  coderRequestsPerMinute: 512,
  // One GitHub App installation: 5,000 requests and 500 content creations per hour.
  githubRequestsPerMinute: 5_000 / 60,
  githubContentPerMinute: 500 / 60,
};
const SIZES: readonly [issues: number, shards: number, cap: number][] = [
  [100, 1, 5],
  [500, 1, 50],
  [5_000, 1, 50],
  [5_000, 4, 50],
  [20_000, 8, 100],
  [100_000, 32, 50],
  [100_000, 32, 200],
];

/** Simulates how long a backlog takes, and which resource it waits for. */
export function capacityRows(): BenchRow[] {
  return SIZES.map(([issues, shards, cap]) => {
    const scenario: CapacityScenario = { ...DEPLOYMENT, issues, shards, cap };
    const { durationMs, idealMs, saturatedFirst, utilisation } = simulateCapacity(scenario);
    const share = `${Math.round(utilisation[saturatedFirst] * 100)} %`;
    return {
      row: "capacity",
      what: `${issues} issues, ${shards} shards of ${cap}`,
      measured: `${(durationMs / 3_600_000).toFixed(1)} h`,
      rawLimit: `waves alone: ${(idealMs / 3_600_000).toFixed(1)} h`,
      ratio: durationMs / idealMs,
      requirement: `waits for ${saturatedFirst} (${share})`,
      verdict: "information",
    };
  });
}
