import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { awaitRepository, type FleetEvent, type FollowedRepository } from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";

const repository: FollowedRepository = { id: 1, name: "octo/widgets", installationId: 7 };

test("a fleet whose App has no installation reports it once, asks again, and begins when the App is installed (F1)", async () => {
  const clock = createVirtualClock();
  const found: FollowedRepository[] = [];
  const events: FleetEvent[] = [];
  let asked = 0;
  const ports = {
    repositories: { all: () => Promise.resolve(found) },
    observe: (event: FleetEvent) => void events.push(event),
    clock,
  };
  const follow = (): Promise<void> => Promise.resolve(void (asked += 1));
  const first = awaitRepository(follow, ports, new AbortController().signal);
  await poll("the first question", () => events.length === 1);
  const later = async (isSo: () => boolean): Promise<boolean> => {
    await clock.advance(30_000);
    return isSo();
  };
  await poll("the second question", () => later(() => asked >= 2));
  found.push(repository);
  let begun: FollowedRepository | null = null;
  void first.then((one) => (begun = one));
  await poll("the begin", () => later(() => begun !== null));
  expect(await first).toEqual(repository);
  expect(events).toEqual([{ type: "no-installation", againMs: 30_000 }]);
});

test("a fleet that waits for an installation ends with the signal that stops it (F1)", async () => {
  const stop = new AbortController();
  const events: FleetEvent[] = [];
  const ports = {
    repositories: { all: () => Promise.resolve([]) },
    observe: (event: FleetEvent) => void events.push(event),
    clock: createVirtualClock(),
  };
  const first = awaitRepository(() => Promise.resolve(), ports, stop.signal);
  await poll("the wait", () => events.length === 1);
  stop.abort(new Error("SIGTERM"));
  await expect(first).rejects.toThrow("SIGTERM");
});
