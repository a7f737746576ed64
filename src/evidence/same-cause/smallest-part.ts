/** Returns whether these parts are enough; null: the limit of tests or the time is used up. */
export type IsEnough<Part> = (parts: readonly Part[]) => Promise<boolean | null>;

/**
 * Returns a part of a change that is enough and from which no single piece can be omitted, found by delta debugging (Zeller and
 * Hildebrandt, "ddmin"). `all` must be enough. null: `isEnough` could not be called often enough.
 */
export async function smallestPart<Part>(
  all: readonly Part[],
  isEnough: IsEnough<Part>,
): Promise<readonly Part[] | null> {
  let parts = all;
  let pieces = Math.min(2, parts.length);
  while (parts.length > 1) {
    const found = await smaller(parts, pieces, isEnough);
    if (found === null) return null;
    if (found !== "none") {
      pieces = found.isPiece ? Math.min(2, found.parts.length) : Math.max(2, pieces - 1);
      parts = found.parts;
      continue;
    }
    if (pieces >= parts.length) return parts;
    pieces = Math.min(parts.length, pieces * 2);
  }
  return parts;
}

async function smaller<Part>(
  parts: readonly Part[],
  pieces: number,
  isEnough: IsEnough<Part>,
): Promise<{ parts: readonly Part[]; isPiece: boolean } | "none" | null> {
  const size = Math.ceil(parts.length / pieces);
  const starts = Array.from({ length: Math.ceil(parts.length / size) }, (_, index) => index * size);
  for (const isPiece of [true, false]) {
    if (!isPiece && pieces === 2) break;
    for (const start of starts) {
      const some = isPiece
        ? parts.slice(start, start + size)
        : [...parts.slice(0, start), ...parts.slice(start + size)];
      const answer = await isEnough(some);
      if (answer === null) return null;
      if (answer) return { parts: some, isPiece };
    }
  }
  return "none";
}
