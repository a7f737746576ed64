import type { Claim } from "../claim.ts";
import { claimedText, showsClaim } from "../claim.ts";
import { MAX_OUTPUT_CHARACTERS, type RunRecord } from "../run-record.ts";

/**
 * Returns whether a run shows the claim. A run that the parent's time limit ended shows it only if the claim itself is a timeout.
 */
export function isMatch(
  claim: Pick<Claim, "expect">,
  { end, output }: Pick<RunRecord, "end" | "output">,
): boolean {
  switch (end.type) {
    case "exited":
      return showsClaim(claim, end.exitCode, output);
    case "timed-out":
      return TIME_LIMIT_CODES.some(
        (code) => claim.expect?.exitCode === code && showsClaim(claim, code, output),
      );
    case "interrupted":
      return false;
  }
}

/** The exit codes of `timeout` for a script that hangs. */
const TIME_LIMIT_CODES = [124, 137];

/**
 * Returns the output lines that contain the claim's text, in a form in which two runs can be compared: times, durations,
 * addresses and process ids, which differ between any two runs, are replaced. Returns the whole output if the claim names no
 * text.
 */
export function claimLines({ expect }: Pick<Claim, "expect">, output: string): string {
  const claimed = expect?.outputContains ?? "";
  const text = claimed.trim() === "" ? null : (claimedText(claimed, output) ?? claimed);
  const lines = text === null ? output : around(output, text);
  return lines
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?\b/g, "<time>")
    .replaceAll(/\b\d+(?:[.,]\d+)?\s?(?:ms|milliseconds|seconds|secs?|s)\b/g, "<duration>")
    .replaceAll(/duration_ms:?\s+[\d.]+/g, "<duration>")
    .replaceAll(/\b0x[0-9a-f]+\b/gi, "<address>")
    .replaceAll(/\(node:\d+\)|\bpid[ :=]+\d+/gi, "<process>")
    .trim();
}

/**
 * Returns the part of an output that a record keeps: its end, preceded by the lines that contain the claimed text or, if they are
 * too long, by the text alone.
 */
export function keptOutput({ expect }: Pick<Claim, "expect">, output: string): string {
  const end = output.slice(-MAX_OUTPUT_CHARACTERS);
  const claimed = expect?.outputContains ?? "";
  const text = end === output || claimed.trim() === "" ? null : claimedText(claimed, output);
  if (text === null) return end;
  const lines = around(output, text);
  return `${lines.length > MAX_OUTPUT_CHARACTERS ? text : lines}\n${end}`;
}

/** Returns each distinct whole line that contains a part of the text, in order. */
function around(output: string, text: string): string {
  const found = new Set<string>();
  for (let at = output.indexOf(text); at !== -1 && found.size < 200;) {
    const from = output.lastIndexOf("\n", at) + 1;
    const to = output.indexOf("\n", at + text.length);
    const end = to === -1 ? output.length : to;
    found.add(output.slice(from, end).trim());
    at = output.indexOf(text, Math.max(end, at + 1));
  }
  return [...found].join("\n");
}
