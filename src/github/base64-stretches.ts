import { runsOf, signTable } from "./sign-runs.ts";
import type { Range } from "./undisguised.ts";

export const BASE64_SIGNS = signTable(/[A-Za-z0-9+/_-]/);
/** The minimum number of characters on the first line of a stretch. */
export const BASE64_LEAST = 12;
/** The minimum number of characters on each further line. */
const LEAST_FURTHER = 4;
const INDENT = signTable(/[ \t>]/);
const MAX_INDENT = 9;
const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a];

/**
 * Returns the matches of `[A-Za-z0-9+/_-]{12,}(?:\r?\n[ \t>]{0,9}[A-Za-z0-9+/_-]{4,})*` in a text whose characters are bytes. A
 * test compares this function with the pattern.
 */
export function base64Stretches(text: Uint8Array): Range[] {
  const stretches: Range[] = [];
  let done = 0;
  for (const [start, firstEnd] of runsOf(text, BASE64_SIGNS, BASE64_LEAST)) {
    // This run is a further line of the previous stretch.
    if (start < done) continue;
    let end = firstEnd;
    for (let next = furtherLine(text, end); next !== end; next = furtherLine(text, end)) end = next;
    stretches.push([start, end]);
    done = end;
  }
  return stretches;
}

/** Returns the end of the base64 line that follows; `from` when none follows. */
function furtherLine(text: Uint8Array, from: number): number {
  let at = from;
  if (text[at] === CARRIAGE_RETURN) at += 1;
  if (text[at] !== LINE_FEED) return from;
  at += 1;
  const indent = at;
  while (at < indent + MAX_INDENT && INDENT[text[at] ?? 0] === 1) at += 1;
  const begin = at;
  while (BASE64_SIGNS[text[at] ?? 0] === 1) at += 1;
  return at - begin < LEAST_FURTHER ? from : at;
}
