import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";

/**
 * Returns the signature of a screen's readable text, so that colours, padding and redraws do not change it (H26).
 */
export function screenSignature(lines: readonly string[]): string {
  const text = lines.map((line) => stripped(line).trimEnd()).join("\n");
  return createHash("sha256").update(text.trimEnd()).digest("hex");
}

function stripped(line: string): string {
  return line.includes("\x1b") || line.includes("\x9b") ? stripVTControlCharacters(line) : line;
}
