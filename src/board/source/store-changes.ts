import type { BatchDocument, RunRowDocument } from "../api/index.ts";
import type { SequencedChange } from "../server/index.ts";
import { type Change, followChanges, type Store } from "../../store/index.ts";
import type { BoardHome } from "./board-home.ts";

/** The functions that return the current state of the object that changed; null if it does not exist. */
export interface ChangeReader {
  run(store: Store, run: { runId: string; repo: string; number: number }): Promise<RunRowDocument | null>;
  batch(store: Store, runId: string): Promise<BatchDocument | null>;
}

const STORE_LOOKED_FOR_EVERY_MS = 500;

/** Yields the changes of the home's change log after a cursor (O21), even for a home without any batch yet. */
export async function* storeChanges(
  home: BoardHome,
  cursor: number,
  signal: AbortSignal,
  read: ChangeReader,
): AsyncGenerator<SequencedChange, void, undefined> {
  const { clock } = home;
  let store = await home.store();
  while (store === null) {
    if (signal.aborted) return;
    await clock.sleep(STORE_LOOKED_FOR_EVERY_MS, signal).catch(() => undefined);
    store = await home.store();
  }
  for await (const followed of followChanges(store, { clock, cursor, signal })) {
    if (followed.type === "truncated") yield { seq: followed.seq, event: { type: "truncated" } };
    else yield* eventOf(store, followed.change, read);
  }
}

async function* eventOf(store: Store, change: Change, read: ChangeReader): AsyncGenerator<SequencedChange> {
  const { seq } = change;
  switch (change.type) {
    case "batch-recorded":
    case "batch-updated": {
      const batch = await read.batch(store, change.runId);
      if (batch !== null) yield { seq, event: { type: "batch", batch } };
      return;
    }
    case "run-recorded":
    case "run-updated": {
      const run = await read.run(store, change);
      if (run !== null) yield { seq, event: { type: "run", run } };
      return;
    }
    default:
      change satisfies never;
  }
}
