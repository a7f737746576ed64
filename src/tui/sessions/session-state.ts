import type { TrackedState } from "../tracked-state.ts";

/** The state of a Session's TUI at one moment. */
export interface SessionState {
  state: TrackedState;
  /** The Event Log sequence of its screen. */
  seq: number;
  /** Wall time, in milliseconds. */
  atMs: number;
}

/** Yields only the states that differ from the one before. A counting spinner is not a change. */
export async function* changesOf(
  states: AsyncIterable<SessionState>,
): AsyncGenerator<SessionState, void, undefined> {
  let told = "";
  for await (const one of states) {
    const { diagnostics, surface, turn, lastTurn } = one.state;
    const key = JSON.stringify([diagnostics, surface, turn, lastTurn]);
    if (key !== told) yield one;
    told = key;
  }
}
