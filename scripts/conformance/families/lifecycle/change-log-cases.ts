import { join } from "node:path";
import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import { z } from "zod";
import { transition, type TriageRunEvent, type TriageRunFacts } from "../../../../src/runs/index.ts";
import { followChanges, openStore, type Store } from "../../../../src/store/index.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type CaseReport, compare } from "../../case-report.ts";
import { factsOf, type LifecycleCase, NOW_MS, RUN_ID } from "./lifecycle-case.ts";

interface Stage {
  store: Store;
  clock: VirtualClock;
  facts: TriageRunFacts;
}

/** The writes of the cases as our events. `null` saves the unchanged facts again, at a later time. */
const WRITES: Readonly<Record<string, TriageRunEvent | null>> = {
  "update activity_state": { type: "activity-signalled", activity: "waiting_input", atMs: NOW_MS },
  "update updated_at only": null,
  "update is_terminated": { type: "terminated", atMs: NOW_MS },
};

/** The claims of the cases about a poller; each resolves with `true` if the claim holds here. */
const CLAIMS: Readonly<Record<string, (stage: Stage) => Promise<boolean>>> = {
  "events in seq order": async ({ store, clock, facts }) => {
    write(store, facts);
    const seqs = await followed(store, clock, 0, 3);
    return seqs.join() === "1,2,3";
  },
  "idempotent by seq": async ({ store, clock, facts }) => {
    write(store, facts);
    const twice = [await followed(store, clock, 1, 2), await followed(store, clock, 1, 2)];
    return twice.every((seqs) => seqs.join() === "2,3");
  },
  "restart seeks to head (history is read from the log by offset)": async ({ store, clock, facts }) => {
    write(store, facts);
    const head = store.lastChange();
    return (
      head === 3 &&
      (await followed(store, clock, 0, 3)).length === 3 &&
      store.changesSince(head, 1).length === 0
    );
  },
  "a throwing subscriber does not stop others": async ({ store, clock, facts }) => {
    write(store, facts);
    const stop = new AbortController();
    for await (const _ of followChanges(store, { clock, cursor: 0, signal: stop.signal })) break;
    stop.abort();
    return (await followed(store, clock, 1, 2)).length === 2;
  },
};

/** Checks a case of the change log; returns null if the case is about something else. */
export async function checkChangeLogCase({ id, event, expect }: LifecycleCase): Promise<CaseReport[] | null> {
  const expected = z.array(z.string()).safeParse(expect);
  if (!expected.success) return null;
  if (event === undefined) return checkClaims(id, expected.data);
  const writes = z.array(z.string()).safeParse(event);
  return writes.success ? checkWrites(id, writes.data, expected.data) : null;
}

async function checkClaims(id: string, claims: readonly string[]): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const claim of claims) {
    const check = CLAIMS[claim];
    const holds = check === undefined ? "unknown claim" : await onStage(check);
    reports.push(compare(`${id}: ${claim}`, true, holds));
  }
  return reports;
}

async function checkWrites(
  id: string,
  writes: readonly string[],
  expected: readonly string[],
): Promise<CaseReport[]> {
  const seen = await onStage(async ({ store, clock, facts }) => {
    store.saveRun(facts);
    let now = facts;
    const names: string[] = [];
    for (const name of writes) {
      const event = WRITES[name];
      const before = store.lastChange();
      await clock.advance(1_000);
      if (event) now = transition(now, event);
      store.saveRun(now);
      // The cases have one name for every change of a run.
      names.push(
        store
          .changesSince(before, 10)
          .map(() => "session_updated")
          .join() || "-",
      );
    }
    return names;
  });
  return [compare(id, expected, seen)];
}

async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  await using directory = await temporaryDirectory();
  const clock = createVirtualClock(NOW_MS);
  using store = await openStore({ path: join(directory.path, "store.sqlite"), clock });
  store.recordBatch({ runId: RUN_ID, parent: "host/1/1", provider: "local", repos: [], startedAtMs: 0 });
  return await work({ store, clock, facts: factsOf({}) });
}

/** Writes two changes. */
function write(store: Store, facts: TriageRunFacts): void {
  store.saveRun(facts);
  store.saveRun(transition(facts, { type: "terminated", atMs: NOW_MS }));
}

async function followed(store: Store, clock: VirtualClock, cursor: number, count: number): Promise<number[]> {
  const stop = new AbortController();
  const seqs: number[] = [];
  for await (const change of followChanges(store, { cursor, clock, signal: stop.signal })) {
    seqs.push(change.type === "change" ? change.change.seq : Number.NaN);
    if (seqs.length === count) stop.abort(new Error("enough"));
  }
  return seqs;
}
