const ESCAPE = 0x1b;
const RETURNS = new Set([0x08, 0x0d]);
const BLANKS = new Set([0x0a, 0x20]);
const MAX_NOISE_BYTES = 32;

export type EchoMatch =
  /** `end` is the index after the last byte. */
  | { type: "whole"; end: number }
  /** The bytes end before the echo does. */
  | { type: "part"; matchedBytes: number }
  | { type: "none" };

const NONE: EchoMatch = { type: "none" };

/**
 * Returns whether the typed text is echoed from `start` on. Where a line wraps, a line editor puts other bytes between those of
 * the text: the next character, a return and the character again; spaces and line feeds; sequences that erase or colour.
 */
export function matchEcho(bytes: Buffer, start: number, typed: Buffer): EchoMatch {
  let [matched, noise] = [0, 0];
  let hasReturned = false;
  let spare: number | undefined;
  for (let at = start; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    const last = typed[matched - 1];
    if (byte === typed[matched]) {
      // At a wrap inside repeated letters, this may be the last letter written again; then one letter is left over at the end.
      const isAgain = byte === last && (hasReturned || byte === spare);
      spare = isAgain ? byte : undefined;
      [matched, noise, hasReturned] = [matched + 1, 0, false];
      if (matched === typed.byteLength) return { type: "whole", end: at + 1 };
      continue;
    }
    noise += 1;
    if (matched === 0 || noise > MAX_NOISE_BYTES) return NONE;
    if (byte === ESCAPE) {
      const end = sequenceEnd(bytes, at);
      if (end === "none") return NONE;
      if (end === "unfinished") break;
      at = end;
    } else if (RETURNS.has(byte)) hasReturned = true;
    else if (hasReturned && byte === last) hasReturned = false;
    else if (byte === spare) spare = undefined;
    else if (!BLANKS.has(byte)) return NONE;
  }
  return { type: "part", matchedBytes: matched };
}

/** Returns the index of the final byte of a sequence that consists of ESC [ and parameters. */
function sequenceEnd(bytes: Buffer, start: number): number | "none" | "unfinished" {
  if (start + 1 >= bytes.byteLength) return "unfinished";
  if (bytes[start + 1] !== 0x5b) return "none";
  for (let at = start + 2; at < Math.min(bytes.byteLength, start + MAX_NOISE_BYTES); at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x40 && byte < 0x7f) return at;
    if (byte < 0x20 || byte > 0x3f) return "none";
  }
  return bytes.byteLength < start + MAX_NOISE_BYTES ? "unfinished" : "none";
}
