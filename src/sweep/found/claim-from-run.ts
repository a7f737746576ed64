import type { FoundReproduction } from "./found-reproduction.ts";

/** One run of a script that shows how the script ends. It proves nothing. */
export interface ObservedRun {
  /** null: the script did not end within its time limit. */
  exitCode: number | null;
  output: string;
}

const MAX_TEXT = 300;
const TELLING =
  /error|exception|panic|assert|fail|fatal|traceback|cannot|undefined|expected|mismatch|wrong|differ|got/i;
/** Lines that contain only a code position, a time or a version of the machine say nothing about the bug. */
const OF_THE_MACHINE =
  /^\s*at |^\s*File "|node:internal|^Node\.js v|^\s*\^+\s*$|\d{2}:\d{2}:\d{2}|\bduration_ms\b|^\s*[#}{)\]]+;?\s*$/;
/**
 * Lines in which a test runner counts or names its tests or classifies a failure: TAP's plan, results and diagnostics, and the
 * summaries of other runners. They are printed whatever the failure is, even if the product is absent.
 */
const OF_THE_RUNNER =
  /^TAP version|^(?:not )?ok \d+\b|^\d+\.\.\d+$|^# (?:Subtest:|(?:tests|suites|pass|fail|cancelled|skipped|todo)\b)|^(?:failureType|code|name|operator|type|severity|location|stack):\s|^\w+: [|>]-?$|^(?:Tests|Test Suites|Test Files|Snapshots):?\s|^\d+ (?:passing|failing|passed|failed)\b|^FAIL\s|^[=-](?=.*[=-]$).*\b(?:failed|FAILURES|ERRORS)\b/;

/**
 * Returns a claim from a run: it failed with this exit code and text or, if it succeeded, it printed a text that the issue quotes.
 * null: the run shows nothing that the issue mentions. The controls of the verification decide whether the claim is about the
 * product.
 */
export function claimFromRun(
  run: ObservedRun,
  said: readonly string[],
): NonNullable<FoundReproduction["expect"]> | null {
  if (run.exitCode === null) return null;
  const lines = run.output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !OF_THE_MACHINE.test(line));
  const reported = said
    .filter((text) => lines.some((line) => line.includes(text)))
    .toSorted((a, b) => b.length - a.length)[0];
  if (reported !== undefined) return { exitCode: run.exitCode, outputContains: reported };
  if (run.exitCode === 0) return null;
  const ofTheScript = lines.filter((line) => !OF_THE_RUNNER.test(line));
  const line = ofTheScript.find((one) => TELLING.test(one)) ?? ofTheScript.at(-1);
  return { exitCode: run.exitCode, outputContains: line === undefined ? null : withoutPlaces(line) };
}

/** Returns the longest part of a line without absolute paths, because paths differ between places; null: it is too short. */
function withoutPlaces(line: string): string | null {
  const parts = line.split(/(?:file:\/\/)?(?:\/[\w.@~+-]+){2,}(?::\d+)*/).map((part) => part.trim());
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return longest.length < 4 ? null : longest.slice(0, MAX_TEXT);
}
