import { createVirtualClock } from "agent-tty/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { FINAL_MS, reconcilingPoll, type RepositoryChange } from "../../src/fleet/index.ts";
import { issueOpened, signed } from "../support/fleet/deliveries.ts";
import { webhookStage } from "../support/fleet/webhook-stage.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { propertyRuns } from "../support/property-runs.ts";

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;

const installation = (state: "active" | "suspended" | "deleted", atMs: number): RepositoryChange => ({
  type: "installation",
  installationId: 5,
  state,
  atMs,
});
const leave = (atMs: number): RepositoryChange => ({ type: "leave", repositoryId: 1, name: "octo/r1", atMs });
const follow = (installationId: number, atMs: number): RepositoryChange => ({
  type: "follow",
  repositoryId: 1,
  name: "octo/r1",
  installationId,
  atMs,
});

async function pollStage() {
  const clock = createVirtualClock();
  const stage = await webhookStage(clock);
  const githubs = new Map(
    [1, 2, 3].map((id) => [id, createFakeGithub({ clock, repo: `octo/r${id}` })] as const),
  );
  const during: { poll: () => Promise<void> } = { poll: async () => undefined };
  const poll = reconcilingPoll({
    ...stage,
    readerOf: ({ id }) => {
      const github = githubs.get(id);
      if (github === undefined) throw new Error(`repository ${id} is unknown`);
      return {
        updatedIssues: async (...asked) => {
          const issues = await github.reader.updatedIssues(...asked);
          await during.poll();
          return issues;
        },
      };
    },
  });
  const open = async (repositoryId: number): Promise<number> =>
    (await githubs.get(repositoryId)?.createIssue({ title: "It crashes" }))?.number ?? 0;
  return {
    ...stage,
    clock,
    open,
    during,
    poll: () => poll.pollDue(HOUR_MS / 2, signal),
    advance: (ms: number) => clock.advance(ms),
    github: (id: number) => githubs.get(id),
  };
}

test("a poll enqueues one visit for each update, and no repository is polled again before its interval is over (F1)", async () => {
  await using stage = await pollStage();
  await stage.open(1);
  await stage.open(2);
  expect(await stage.poll()).toBe(3);
  expect(stage.visited()).toEqual(["1#1", "2#1"]);
  expect(await stage.poll()).toBe(0);
  await stage.advance(HOUR_MS);
  await stage.open(1);
  expect(await stage.poll()).toBe(3);
  expect(stage.visits.map(({ repositoryId, number }) => `${repositoryId}#${number}`)).toEqual([
    "1#1",
    "2#1",
    "1#2",
  ]);
});

test("a poll continues with the next pages when many issues were updated in one second (F1)", async () => {
  await using stage = await pollStage();
  for (let count = 0; count < 230; count += 1) await stage.open(3);
  await stage.poll();
  expect(stage.visited()).toHaveLength(230);
});

test("a poll enqueues no visit for a closed issue, and one for an issue that is opened again (F1, F3)", async () => {
  await using stage = await pollStage();
  const closed = { repo: "octo/r1", number: await stage.open(1) } as const;
  const { writer } = stage.github(1) ?? {};
  await writer?.closeIssue(closed, "completed", signal);
  await stage.open(1);
  await stage.poll();
  expect(stage.visited()).toEqual(["1#2"]);
  await stage.advance(HOUR_MS);
  await writer?.reopenIssue(closed, signal);
  await stage.poll();
  expect(stage.visited()).toEqual(["1#1", "1#2"]);
});

test("a failed poll is reported, delays no other repository, and is repeated after the interval (F1)", async () => {
  await using stage = await pollStage();
  await stage.repositories.apply({
    type: "follow",
    repositoryId: 0,
    name: "octo/gone",
    installationId: null,
    atMs: 0,
  });
  await stage.open(2);
  expect(await stage.poll()).toBe(4);
  expect(stage.failures).toEqual(["poll octo/gone: repository 0 is unknown"]);
  expect(stage.visited()).toEqual(["2#1"]);
  await stage.advance(HOUR_MS);
  expect(await stage.poll()).toBe(4);
  expect(stage.failures).toHaveLength(2);
});

test("a repository that a machine with a wrong clock has polled in the future is polled now (F1)", async () => {
  await using stage = await pollStage();
  await stage.poll();
  const statement = "update fleet_repository set polled_at_ms = $1 where repository_id = 2";
  await stage.sql.rows(z.unknown(), statement, stage.clock.nowMs() + 24 * HOUR_MS);
  await stage.open(2);
  expect(await stage.poll()).toBe(1);
  expect(stage.visited()).toEqual(["2#1"]);
  expect(await stage.poll()).toBe(0);
});

test("a suspended installation is not polled; its changes are found once it is active again (F1)", async () => {
  await using stage = await pollStage();
  await stage.repositories.apply(installation("suspended", 1));
  await stage.open(1);
  expect(await stage.poll()).toBe(0);
  await stage.repositories.apply(installation("active", 2));
  expect(await stage.poll()).toBe(3);
  expect(stage.visited()).toEqual(["1#1"]);
});

test.each<[string, RepositoryChange[]]>([
  ["a suspended installation is active again", [installation("suspended", 1), installation("active", 2)]],
  ["a repository that was no longer followed is followed again", [leave(1), follow(5, 2)]],
  ["the App is installed again", [installation("deleted", FINAL_MS), follow(6, 2)]],
])(
  "when %s, the poll finds all issues again, because their visits were dropped in the meantime (F1)",
  async (_, changes) => {
    await using stage = await pollStage();
    await stage.open(1);
    await stage.poll();
    await stage.advance(HOUR_MS);
    await stage.poll();
    expect(stage.visits).toHaveLength(1);
    for (const change of changes) await stage.repositories.apply(change);
    await stage.poll();
    expect(stage.visits).toHaveLength(2);
    // The same change is reported again, e.g. when the installations of the App are read every hour.
    for (const change of changes.slice(1)) await stage.repositories.apply(change);
    await stage.advance(HOUR_MS);
    await stage.poll();
    expect(stage.visits).toHaveLength(2);
  },
);

test("a repository that is followed again while it is polled is polled from the start (F1)", async () => {
  await using stage = await pollStage();
  await stage.open(1);
  stage.during.poll = async () => {
    for (const change of [leave(1), follow(5, 2)]) await stage.repositories.apply(change);
  };
  await stage.poll();
  expect(stage.visits).toHaveLength(2);
});

test("deliveries that are shuffled, duplicated, dropped and forged lead, together with a poll, to the visits that polling alone leads to (F1)", async () => {
  const step = fc.record({
    repositoryId: fc.integer({ min: 1, max: 3 }),
    fate: fc.oneof(
      { weight: 94, arbitrary: fc.constantFrom("once" as const, "doubled" as const) },
      { weight: 5, arbitrary: fc.constant("dropped" as const) },
      { weight: 1, arbitrary: fc.constant("forged" as const) },
    ),
    place: fc.integer(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, isDrainedFirst) => {
      await using stage = await pollStage();
      const issues = new Set<string>();
      const sent: { place: number; send: () => Promise<unknown> }[] = [];
      for (const [index, { repositoryId, fate, place }] of steps.entries()) {
        const number = await stage.open(repositoryId);
        issues.add(`${repositoryId}#${number}`);
        const delivery = issueOpened(`guid-${index}`, repositoryId, number);
        const send = () => stage.receiver.receive(signed(delivery));
        if (fate === "once" || fate === "doubled") sent.push({ place, send });
        if (fate === "doubled") sent.push({ place: -place, send });
        // A forger names an issue that does not exist.
        const forgery = issueOpened(`forged-${index}`, repositoryId, 10_000 + index);
        const forge = () => stage.receiver.receive(signed(forgery, "a guess"));
        if (fate === "forged") sent.push({ place, send: forge });
      }
      for (const { send } of sent.toSorted((a, b) => a.place - b.place)) await send();
      if (isDrainedFirst) await stage.inbox.drain();
      await stage.poll();
      await stage.inbox.drain();
      expect(stage.visited()).toEqual([...issues].toSorted());
      const doubled = steps.filter(({ fate }) => fate === "doubled").length;
      const forged = steps.filter(({ fate }) => fate === "forged").length;
      expect(stage.receiver.counts()).toMatchObject({ repeated: doubled, forged });
    }),
    { numRuns: propertyRuns(20, 1_000) },
  );
}, 300_000);
