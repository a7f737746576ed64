import type { TrackedState } from "../tracked-state.ts";

/** What was known of a Session's TUI at one moment. */
export interface SessionState {
  state: TrackedState;
  /** The Event Log sequence of the screen it rests on. */
  seq: number;
  /** Wall time, in milliseconds. */
  atMs: number;
}

/** Only what says something else than the one before: a spinner that counts is no news. */
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
