/** H9: a transcript that grew this much this lately is being written. */
const WINDOW_MS = 3_000;
const MAX_GAP_MS = 2_000;
const MIN_CHARACTERS = 48;
const MIN_LINES = 2;
const MAX_FRAMES = 64;

interface Frame {
  atMs: number;
  lines: readonly string[];
}

/** The sliding window over the latest Turn's rows. Frames of a Turn that other evidence proves are not kept. */
export class GrowthWindow {
  #frames: Frame[] = [];

  /** True when the rows grew at their end since a frame of the window, with no longer gap between two frames. */
  push(lines: readonly string[], atMs: number): boolean {
    const isGap = atMs - (this.#frames.at(-1)?.atMs ?? atMs) > MAX_GAP_MS;
    const kept = isGap ? [] : this.#frames.filter((frame) => atMs - frame.atMs <= WINDOW_MS);
    this.#frames = [...kept, { atMs, lines }].slice(-MAX_FRAMES);
    return kept.some((frame) => hasGrown(frame.lines, lines));
  }

  clear(): void {
    this.#frames = [];
  }
}

/** Something was written behind the rows of before. A redraw or a scroll is no growth. */
function hasGrown(before: readonly string[], after: readonly string[]): boolean {
  const row = lastRowOf(before, after);
  if (row === null) return false;
  const added = after.slice(row + 1);
  const characters = (after[row] ?? "").length - (before.at(-1) ?? "").length + added.join("").length;
  return added.length >= MIN_LINES || characters >= MIN_CHARACTERS;
}

/** Where the last row of before stands now: where most rows above it are the same, for texts repeat themselves. */
function lastRowOf(before: readonly string[], after: readonly string[]): number | null {
  const last = before.at(-1);
  if (last === undefined) return null;
  let best: { row: number; matched: number } | null = null;
  for (const [row, line] of after.entries()) {
    if (!line.startsWith(last)) continue;
    const matched = matchedAbove(before, after.slice(0, row));
    if (best === null || matched >= best.matched) best = { row, matched };
  }
  return best?.row ?? null;
}

function matchedAbove(before: readonly string[], above: readonly string[]): number {
  const wanted = before.slice(0, -1).toReversed();
  const found = above.toReversed();
  const differing = wanted.findIndex((line, index) => line !== found[index]);
  return differing === -1 ? wanted.length : differing;
}
