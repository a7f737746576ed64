import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";

/** H26: names what a person can read on a screen, so that colours, padding and redraws of the same text change nothing. */
export function screenSignature(lines: readonly string[]): string {
  const text = lines.map((line) => stripped(line).trimEnd()).join("\n");
  return createHash("sha256").update(text.trimEnd()).digest("hex");
}

function stripped(line: string): string {
  return line.includes("\x1b") || line.includes("\x9b") ? stripVTControlCharacters(line) : line;
}
