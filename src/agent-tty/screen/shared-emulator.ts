import type { Screen, ScreenOptions } from "./screen.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";

/** Output or a new size, in the order of the Event Log. */
export type Kept = { bytes: Uint8Array; seq: number } | { cols: number; rows: number; seq: number };

/** RIS (ECMA-48): back to the state of a new terminal of the same size. */
const RESET = Buffer.from("\x1bc");

/**
 * One emulator that shows the plain output of many screens, one after the other. Creating an emulator takes several times as long
 * as showing a short plain output, and an unused emulator is a large piece of garbage to collect. Only for output that leaves no
 * mode, title or open sequence behind.
 */
export class SharedEmulator {
  readonly #create: (options: ScreenOptions) => Screen;
  #emulator: Screen | null = null;
  /** The list that the emulator shows, and how many of its items. */
  #shown: { of: readonly Kept[]; count: number } | null = null;

  constructor(create: (options: ScreenOptions) => Screen) {
    this.#create = create;
  }

  /** Returns the text of a screen of this size after everything in the list. Items may only be appended to a list. */
  snapshotOf(kept: readonly Kept[], { cols, rows }: ScreenOptions): SemanticSnapshot {
    const emulator = (this.#emulator ??= this.#create({ cols, rows }));
    const count = this.#shown?.of === kept ? this.#shown.count : null;
    this.#shown = null;
    if (count === null) {
      emulator.resize(cols, rows, 0);
      emulator.write(RESET, 0);
    }
    for (const told of kept.slice(count ?? 0)) {
      if ("bytes" in told) emulator.write(told.bytes, told.seq);
      else emulator.resize(told.cols, told.rows, told.seq);
    }
    const snapshot = emulator.snapshot();
    emulator.settle();
    this.#shown = { of: kept, count: kept.length };
    return snapshot;
  }
}
