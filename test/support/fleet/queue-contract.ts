import { expect, test } from "vitest";
import {
  type FleetCaps,
  followedRepositories,
  type HeldVisit,
  type Sql,
  type VisitEnd,
  type VisitQueue,
  type WantedVisit,
} from "../../../src/fleet/index.ts";
import { poll } from "../batch/poll.ts";

export type OpenQueue = (caps: FleetCaps) => Promise<
  AsyncDisposable & {
    queue: VisitQueue;
    sql: Sql;
    /** Opens the same queue as the next process does, which has other caps. */
    again: (caps: FleetCaps) => Promise<VisitQueue>;
  }
>;

const CAPS: FleetCaps = { perRepository: 3, perOwner: null };

export function wanted(repositoryId: number, number: number, change: Partial<WantedVisit> = {}): WantedVisit {
  return { repositoryId, number, owner: "octo", isUrgent: false, delayMs: 0, ...change };
}

/** Starts a worker whose visits the test ends. */
export function manualWorker(queue: VisitQueue, parallelism: number) {
  const stop = new AbortController();
  const begun: string[] = [];
  const open = new Map<string, (end: VisitEnd | Error) => void>();
  const nameOf = ({ repositoryId, number }: { repositoryId: number; number: number }): string =>
    `${repositoryId}#${number}`;
  const held = new Map<string, HeldVisit>();
  let isOver = false;
  const working = queue
    .work({
      parallelism,
      stop: stop.signal,
      visit: (visit) => {
        begun.push(nameOf(visit));
        held.set(nameOf(visit), visit);
        return new Promise((resolve, reject) => {
          open.set(nameOf(visit), (end) => (end instanceof Error ? reject(end) : resolve(end)));
        });
      },
    })
    .finally(() => (isOver = true));
  return {
    begun,
    held,
    running: () => [...open.keys()].toSorted(),
    isOver: () => isOver,
    end: (name: string, end: VisitEnd | Error = { type: "done" }) => {
      const close = open.get(name);
      open.delete(name);
      close?.(end);
    },
    stop: () => stop.abort(),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      for (const [name, close] of open) {
        open.delete(name);
        close({ type: "done" });
      }
      await working;
    },
  };
}

/** Tests the contract of the queue port for one adapter. */
export function describeQueue(name: string, open: OpenQueue): void {
  test(`${name}: a visit that is requested several times runs once, and once more if it is requested while it runs`, async () => {
    await using opened = await open(CAPS);
    const { queue } = opened;
    for (let again = 0; again < 5; again += 1) await queue.enqueue(wanted(1, 7));
    await using worker = manualWorker(queue, 4);
    await poll("the visit", () => worker.begun.length === 1);
    expect((await queue.state()).waiting).toBe(0);
    await queue.enqueue(wanted(1, 7));
    await queue.enqueue(wanted(1, 7));
    expect((await queue.state()).waiting).toBe(1);
    worker.end("1#7");
    await poll("the second visit", () => worker.begun.length === 2);
    worker.end("1#7");
    await poll("an empty queue", async () => (await queue.state()).running === 0);
    expect(worker.begun).toEqual(["1#7", "1#7"]);
  });

  test(`${name}: a repository never has more concurrent visits than its cap, and the fleet no more than its workers' capacity (F3)`, async () => {
    await using opened = await open(CAPS);
    const { queue } = opened;
    for (let number = 0; number < 9; number += 1) await queue.enqueue(wanted(1, number));
    await queue.enqueue(wanted(2, 1));
    await using worker = manualWorker(queue, 4);
    await poll("four visits", () => worker.begun.length === 4);
    expect(worker.running().filter((visit) => visit.startsWith("1#"))).toHaveLength(3);
    expect(worker.running()).toContain("2#1");
    worker.end("2#1");
    // The free place stays free, because only the repository at its cap has visits left.
    await poll("its end", async () => (await queue.state()).running === 3);
    expect(worker.running()).toHaveLength(3);
  });

  test(`${name}: repositories of one owner share the owner's cap (F3)`, async () => {
    await using opened = await open({ perRepository: 3, perOwner: 2 });
    const { queue } = opened;
    for (const repositoryId of [1, 2, 3])
      for (const number of [1, 2]) await queue.enqueue(wanted(repositoryId, number));
    await queue.enqueue(wanted(9, 1, { owner: "other" }));
    await using worker = manualWorker(queue, 6);
    await poll("three visits", () => worker.begun.length === 3);
    await poll("their count", async () => (await queue.state()).running === 3);
    expect(worker.running()).toContain("9#1");
  });

  test.each([
    ["fewer per repository", { perRepository: 3, perOwner: null }, { perRepository: 1, perOwner: null }, 2],
    ["more per repository", { perRepository: 1, perOwner: null }, { perRepository: 3, perOwner: null }, 6],
    ["a cap per owner", { perRepository: 3, perOwner: null }, { perRepository: 3, perOwner: 1 }, 1],
  ])(
    `${name}: the next process applies its caps to the visits that wait (%s) (F3)`,
    async (_, before, after, most) => {
      await using opened = await open(before);
      for (const repositoryId of [1, 2]) {
        const name = `octo/${repositoryId}` as const;
        const follow = { type: "follow", repositoryId, name, installationId: null, atMs: 0 } as const;
        await followedRepositories(opened.sql).apply(follow);
        for (let number = 0; number < 6; number += 1)
          await opened.queue.enqueue(wanted(repositoryId, number));
      }
      await opened.queue.enqueue(wanted(1, 9, { delayMs: 3_600_000 }));
      const queue = await opened.again(after);
      await using worker = manualWorker(queue, 8);
      await poll("the visits", () => worker.begun.length >= most);
      expect(await queue.state()).toMatchObject({ running: most, waiting: 13 - most });
      for (const visit of worker.running()) worker.end(visit);
      await poll("the next visits", () => worker.begun.length >= Math.min(12, 2 * most));
      // A visit keeps its time.
      expect(worker.begun).not.toContain("1#9");
    },
  );

  test(`${name}: the first visit of every repository runs before the second visit of any repository (F3)`, async () => {
    await using opened = await open({ perRepository: 1, perOwner: null });
    const { queue } = opened;
    for (let number = 1; number <= 5; number += 1) await queue.enqueue(wanted(1, number));
    for (const repositoryId of [2, 3, 4]) await queue.enqueue(wanted(repositoryId, 1));
    await using worker = manualWorker(queue, 1);
    for (let count = 1; count <= 8; count += 1) {
      await poll("the next visit", () => worker.begun.length === count);
      worker.end(worker.begun.at(-1) ?? "");
    }
    expect(worker.begun.slice(0, 4).toSorted()).toEqual(["1#1", "2#1", "3#1", "4#1"]);
    expect(worker.begun.slice(4)).toEqual(["1#2", "1#3", "1#4", "1#5"]);
  });

  test(`${name}: a repository that was idle does not wait behind the backlogs of others, and gains no turns for its idle time (F3)`, async () => {
    await using opened = await open({ perRepository: 1, perOwner: null });
    const { queue } = opened;
    for (let number = 1; number <= 6; number += 1) await queue.enqueue(wanted(1, number));
    await using worker = manualWorker(queue, 1);
    const next = async (count: number): Promise<void> => {
      await poll("the next visit", () => worker.begun.length === count);
      if (count === 3) for (let number = 1; number <= 6; number += 1) await queue.enqueue(wanted(2, number));
      worker.end(worker.begun.at(-1) ?? "");
    };
    for (let count = 1; count <= 9; count += 1) await next(count);
    // From the fourth visit on the repositories take turns, although the second repository has had no visits before.
    const later = worker.begun.slice(3, 9).map((visit) => visit.slice(0, 1));
    expect(later.filter((repository) => repository === "1")).toHaveLength(3);
  });

  test(`${name}: an urgent visit runs before the others of its repository, but not before the first visit of another repository (F3)`, async () => {
    await using opened = await open({ perRepository: 1, perOwner: null });
    const { queue } = opened;
    for (let number = 1; number <= 4; number += 1) await queue.enqueue(wanted(1, number));
    await queue.enqueue(wanted(2, 1));
    await queue.enqueue(wanted(1, 9, { isUrgent: true }));
    await queue.enqueue(wanted(1, 4, { isUrgent: true }));
    await using worker = manualWorker(queue, 1);
    for (let count = 1; count <= 6; count += 1) {
      await poll("the next visit", () => worker.begun.length === count);
      worker.end(worker.begun.at(-1) ?? "");
    }
    expect(worker.begun.slice(0, 3).toSorted()).toEqual(["1#1", "1#9", "2#1"]);
    expect(worker.begun.indexOf("1#4")).toBeLessThan(worker.begun.indexOf("1#3"));
  });

  test(`${name}: a visit that asks for a delay runs again after it, and a failed visit is retried (F2)`, async () => {
    await using opened = await open(CAPS);
    const { queue } = opened;
    await queue.enqueue(wanted(1, 1));
    await queue.enqueue(wanted(1, 2));
    await using worker = manualWorker(queue, 2);
    await poll("both", () => worker.begun.length === 2);
    worker.end("1#1", { type: "again", delayMs: 1 });
    worker.end("1#2", new Error("GitHub is away"));
    await poll("both again", () => worker.begun.length === 4);
    expect(worker.held.get("1#1")?.attempt).toBe(1);
    expect(worker.held.get("1#2")?.attempt).toBe(2);
  });

  test(`${name}: a delayed visit runs at the earliest requested time (F1, F3)`, async () => {
    await using opened = await open(CAPS);
    const { queue } = opened;
    await queue.enqueue(wanted(1, 1));
    await using worker = manualWorker(queue, 4);
    await poll("the first visit", () => worker.begun.length === 1);
    worker.end("1#1", { type: "again", delayMs: 7 * 24 * 3_600_000 });
    await poll("its wait", async () => (await queue.state()).running === 0);
    // The reporter replies, and after that a later visit is requested.
    await queue.enqueue(wanted(1, 1, { isUrgent: true }));
    await queue.enqueue(wanted(1, 2));
    await queue.enqueue(wanted(1, 2, { delayMs: 3_600_000 }));
    await poll("both visits", () => worker.begun.length === 3);
    expect(worker.begun.toSorted()).toEqual(["1#1", "1#1", "1#2"]);
  });

  test(`${name}: a stopped worker takes no further visit and waits for those that have begun`, async () => {
    await using opened = await open({ perRepository: 1, perOwner: null });
    const { queue } = opened;
    for (const number of [1, 2]) await queue.enqueue(wanted(1, number));
    await using worker = manualWorker(queue, 1);
    await poll("the first", () => worker.begun.length === 1);
    expect(await worker.held.get("1#1")?.isOurs(new AbortController().signal)).toBe(true);
    worker.stop();
    expect(worker.isOver()).toBe(false);
    worker.end("1#1");
    await poll("the end of the work", () => worker.isOver());
    expect(worker.begun).toEqual(["1#1"]);
    expect(await queue.state()).toMatchObject({ waiting: 1, running: 0 });
  });
}
