import type { Fault } from "../../../test/support/tui-recordings/index.ts";
import type { Report, ReportedFile } from "../report.ts";
import type { Difference } from "./difference.ts";

/** Without `--verbose`, at most so many differences of one file, and at most so many in all, are shown with their screens. */
const SHOWN_PER_FILE = 3;
const SHOWN = 24;

const FAULTS: Record<Fault, string> = {
  phase: "phase wrong",
  "false-ready": "ready or success while active",
  "dialog-ready": "dialog or menu read as ready",
  "dialog-accepting": "dialog or menu said to take a prompt",
  "last-result": "last result wrong",
  "draft-missed": "draft missed",
  "draft-false": "draft seen where none is",
  "down-active": "a TUI that is gone called active",
};

/** Returns the figures over all recordings; empty if the directory has no recordings. */
export function trackingLines({ summary, tracking, missedThresholds }: Report): string[] {
  const { cells, confusion, faults, ends } = tracking;
  if (cells === 0) return [];
  const { p50, p95 } = summary.successLatencyMs;
  return [
    "tracking",
    `  ${"true state".padEnd(22)}${["ready", "active", "unknown"].map((phase) => phase.padStart(9)).join("")}`,
    ...Object.entries(confusion)
      .toSorted(([left], [right]) => left.localeCompare(right, "en"))
      .map(([label, { ready, active, unknown }]) => {
        const counts = [ready, active, unknown].map((number) => String(number).padStart(9)).join("");
        return `  ${label.padEnd(22)}${counts}`;
      }),
    `  phase right in ${percent(summary.phaseAccuracy)} of ${cells} cells, last result in ${percent(summary.lastResultAccuracy)} of the ready ones`,
    ...Object.entries(FAULTS).map(([fault, words]) => `  ${words}: ${faults[fault as Fault] ?? 0}`),
    `  success seen after ${p50 ?? "–"} ms (p50), ${p95 ?? "–"} ms (p95)`,
    ...Object.entries(ends).map(
      ([result, { count, missed }]) => `  ends with ${result}: ${count}, never seen: ${missed}`,
    ),
    ...missedThresholds.map((line) => `  MISSED: ${line}`),
    "",
  ];
}

/** Returns the differences with their screens: all of them, or a readable number. */
export function differenceLines(files: readonly ReportedFile[], isVerbose: boolean): string[] {
  const differing = files.flatMap((file) => (file.status === "tracked" ? [file] : []));
  const chosen = differing.flatMap(({ differences }) =>
    isVerbose ? differences : differences.slice(0, SHOWN_PER_FILE),
  );
  const shown = isVerbose ? chosen : chosen.slice(0, SHOWN);
  const all = differing.reduce((sum, { differences }) => sum + differences.length, 0);
  if (all === 0) return [];
  const rest = all - shown.length;
  return [
    "differing cells",
    ...shown.flatMap(differenceText),
    ...(rest === 0 ? [] : [`  … and ${rest} more: --verbose shows all`]),
    "",
  ];
}

function differenceText(difference: Difference): string[] {
  const { recording, fromMs, untilMs, expected, faults, seen, evidence, screen } = difference;
  const lines = screen.slice(0, screen.findLastIndex((line) => line !== "") + 1);
  return [
    `  ${recording} ${Math.round(fromMs)}–${Math.round(untilMs)} ms: ${expected}: ${faults.join(", ")}`,
    `    seen ${seen === null ? "nothing" : JSON.stringify(seen)}`,
    ...evidence.map((line) => `    evidence ${line}`),
    ...lines.map((line) => `    │${line}`),
  ];
}

function percent(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(2)} %`;
}
