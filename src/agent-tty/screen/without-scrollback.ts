import { type BufferState, cellWords } from "./buffer-state.ts";
import type { ScreenState } from "./screen.ts";

/**
 * Returns the same screen without the lines that have scrolled off. Later bytes have the same effect on the visible lines, so a
 * copy that only shows the effect of bytes does not need 1,000 more lines.
 */
export function withoutScrollback(state: ScreenState): ScreenState {
  const { emulator } = state;
  const dropped = emulator.normal.numbers.ybase;
  const entries = emulator.links.entries.flatMap((entry) => {
    const lines = entry.lines
      .map(({ line, isAlternate }) => ({ line: isAlternate ? line : line - dropped, isAlternate }))
      .filter(({ line }) => line >= 0);
    return lines.length === 0 ? [] : [{ ...entry, lines }];
  });
  return {
    ...state,
    emulator: { ...emulator, normal: visibleLines(emulator.normal), links: { ...emulator.links, entries } },
  };
}

function visibleLines(buffer: BufferState): BufferState {
  const { numbers, lines, cells } = buffer;
  const { ybase } = numbers;
  return {
    ...buffer,
    // The saved cursor's row is relative to the first line that is kept.
    numbers: { ...numbers, ybase: 0, ydisp: 0, savedY: Math.max(0, numbers.savedY - ybase) },
    lines: lines.slice(ybase),
    cells: cells.subarray(cellWords(lines.slice(0, ybase))),
  };
}
