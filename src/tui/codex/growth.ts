/** The limits of growth: a transcript that grew by this much within this window is being written (H9). */
const WINDOW_MS = 3_000;
const MAX_GAP_MS = 2_000;
const MIN_CHARACTERS = 48;
const MIN_LINES = 2;
const MAX_FRAMES = 64;

interface Frame {
  atMs: number;
  lines: readonly string[];
}

/** The sliding window over the latest Turn's rows. It does not keep frames of a Turn that other evidence proves. */
export class GrowthWindow {
  #frames: Frame[] = [];

  /** Returns whether the rows grew at their end since a frame of the window, without a longer gap between two frames. */
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

/** Returns whether text was added after the earlier rows. A redraw or a scroll is not growth. */
function hasGrown(before: readonly string[], after: readonly string[]): boolean {
  const row = lastRowOf(before, after);
  if (row === null) return false;
  const added = after.slice(row + 1);
  const characters = (after[row] ?? "").length - (before.at(-1) ?? "").length + added.join("").length;
  return added.length >= MIN_LINES || characters >= MIN_CHARACTERS;
}

/**
 * Returns the current position of the last earlier row, or null. Because texts may repeat, it picks the position where most rows
 * above it match.
 */
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
