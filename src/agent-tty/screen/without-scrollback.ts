import { type BufferState, cellWords } from "./buffer-state.ts";
import type { ScreenState } from "./screen.ts";

/**
 * The same screen without the lines that have scrolled off. Later bytes do to the visible lines what they would have done, so a
 * copy that only shows what bytes do need not carry 1,000 lines along.
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
    // The saved cursor counts from the first line that is kept.
    numbers: { ...numbers, ybase: 0, ydisp: 0, savedY: Math.max(0, numbers.savedY - ybase) },
    lines: lines.slice(ybase),
    cells: cells.subarray(cellWords(lines.slice(0, ybase))),
  };
}
