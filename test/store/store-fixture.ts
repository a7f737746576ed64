import { join } from "node:path";
import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import {
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../src/runs/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

export const RUN_ID = "20260101T000000Z";

export interface StoreFixture extends AsyncDisposable {
  path: string;
  directory: string;
  clock: VirtualClock;
  open: () => Promise<Store>;
}

export async function storeFixture(): Promise<StoreFixture> {
  const temporary = await temporaryDirectory();
  const directory = join(temporary.path, "store");
  const path = join(directory, "runs.db");
  const clock = createVirtualClock(1_000_000);
  return {
    path,
    directory,
    clock,
    open: () => openStore({ path, clock, busyTimeoutMs: 100 }),
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

export function recordBatch(store: Store, runId = RUN_ID): void {
  store.recordBatch({ runId, parent: "host/1/1", provider: "local", repos: ["o/r"], startedAtMs: 1 });
}

export function triageRun(
  number: number,
  events: readonly TriageRunEvent[] = [],
  runId = RUN_ID,
): TriageRunFacts {
  return events.reduce(transition, selectedTriageRun({ runId, repo: "o/r", number, atMs: 5 }));
}
