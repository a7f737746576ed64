import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { z } from "zod";
import { openDeliveryInbox, serveWebhooks } from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";
import {
  issueOpened,
  REPORTER,
  repositoryOf,
  type SentDelivery,
  signed,
} from "../support/fleet/deliveries.ts";
import { webhookStage } from "../support/fleet/webhook-stage.ts";

const INSTALLATION = { id: 5, updated_at: "2026-01-01T00:00:00Z" };
let guids = 0;
const sent = (event: string, payload: unknown): SentDelivery => ({
  guid: `guid-${(guids += 1)}`,
  event,
  payload,
});

test("a delivery is stored before it is answered and enqueues one visit; a repeated delivery enqueues none (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  expect(await stage.receiver.receive(signed(issueOpened("a", 1, 12)))).toBe("accepted");
  expect(stage.visits).toEqual([]);
  expect(await stage.receiver.receive(signed(issueOpened("a", 1, 12)))).toBe("repeated");
  await stage.inbox.drain();
  await stage.inbox.drain();
  expect(stage.visits).toMatchObject([{ repositoryId: 1, number: 12, owner: "octo", isUrgent: false }]);
});

test("a delivery whose process was killed after the answer is carried out by the next process (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  await stage.receiver.receive(signed(issueOpened("a", 1, 12)));
  const stop = new AbortController();
  const next = openDeliveryInbox(stage.sql, { ...stage, clock: systemClock });
  const working = next.work(stop.signal);
  await poll("the visit", () => stage.visits.length === 1);
  await stage.receiver.receive(signed(issueOpened("b", 1, 13)));
  stop.abort();
  await working;
  expect(stage.failures).toEqual([]);
});

test("a stored delivery that only another version can read is set aside until the next start and delays no other (F1, F6)", async () => {
  await using stage = await webhookStage(systemClock);
  const nowMs = systemClock.nowMs();
  const plan = { visits: [], changes: [{ type: "archive", repositoryId: 1, atMs: 0 }] };
  const store =
    "insert into fleet_delivery (guid, state, plan, received_at_ms) values ($1, 'stored', $2, $3)";
  await stage.sql.rows(z.unknown(), store, "newer", JSON.stringify(plan), nowMs);
  await stage.sql.rows(z.unknown(), store, "damaged", "{", nowMs + 1);
  await stage.receiver.receive(signed(issueOpened("a", 1, 12)));
  await stage.inbox.drain();
  await stage.inbox.drain();
  expect(stage.visited()).toEqual(["1#12"]);
  expect(stage.failures).toEqual([
    expect.stringContaining("newer") as string,
    expect.stringContaining("damaged") as string,
  ]);
  // The update of the workers ends with one that can read it.
  const readable = JSON.stringify({
    visits: [{ repositoryId: 1, number: 13, owner: "octo", isUrgent: false, delayMs: 0 }],
    changes: [],
  });
  await stage.sql.rows(z.unknown(), "update fleet_delivery set plan = $1 where guid = 'newer'", readable);
  await openDeliveryInbox(stage.sql, { ...stage, clock: systemClock }).drain();
  expect(stage.visited()).toEqual(["1#12", "1#13"]);
});

test("a forged delivery is counted and has no other effect (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  const genuine = signed(issueOpened("a", 1, 12));
  const forged = [
    signed(issueOpened("b", 1, 12), "another secret"),
    { ...genuine, body: Buffer.from(`${Buffer.from(genuine.body).toString()} `) },
    { ...genuine, headers: { ...genuine.headers, "x-hub-signature-256": undefined } },
    { ...genuine, headers: { ...genuine.headers, "x-hub-signature-256": "sha256=" } },
  ];
  for (const request of forged) expect(await stage.receiver.receive(request)).toBe("forged");
  expect(stage.receiver.counts()).toMatchObject({ forged: 4, accepted: 0 });
  expect(await stage.sql.rows(z.unknown(), "select * from fleet_delivery")).toEqual([]);
  expect(stage.failures).toEqual([]);
});

test("deliveries of the old and of the new secret are accepted while a secret rotates (F1)", async () => {
  await using stage = await webhookStage(systemClock, ["new", "old"]);
  expect(await stage.receiver.receive(signed(issueOpened("a", 1, 1), "old"))).toBe("accepted");
  expect(await stage.receiver.receive(signed(issueOpened("b", 1, 2), "new"))).toBe("accepted");
  expect(await stage.receiver.receive(signed(issueOpened("c", 1, 3), "older"))).toBe("forged");
});

test("a reporter's reply and a possible vulnerability report are urgent, and the fleet's own writes enqueue no visit (F1, F3)", async () => {
  await using stage = await webhookStage(systemClock);
  const issue = { number: 3, title: "It crashes", body: null, labels: [], user: REPORTER };
  const comment = (number: number, user: object, more: object = {}): SentDelivery =>
    sent("issue_comment", {
      action: "created",
      sender: user,
      repository: repositoryOf(1),
      issue: { ...issue, number, ...more },
      comment: { body: "Yes", user },
    });
  const other = { id: 8, type: "User" };
  await stage.receiver.receive(signed(comment(1, REPORTER)));
  await stage.receiver.receive(signed(comment(2, other)));
  await stage.receiver.receive(signed(comment(3, other, { labels: [{ name: "security" }] })));
  for (const ignored of [
    comment(4, { id: 99, type: "User" }),
    comment(5, { id: 10, type: "Bot" }),
    comment(6, other, { pull_request: { url: "https://api.github.com/" } }),
    sent("ping", { zen: "Keep it logically awesome." }),
  ])
    expect(await stage.receiver.receive(signed(ignored))).toBe("ignored");
  await stage.inbox.drain();
  expect(stage.visits.map(({ number, isUrgent }) => [number, isUrgent])).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ]);
});

test("issues of suspended and deleted installations, and of removed and deleted repositories, enqueue no visit (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  const later = { id: 5, updated_at: "2026-01-02T00:00:00Z" };
  const latest = { id: 5, updated_at: "2026-01-03T00:00:00Z" };
  let number = 0;
  const isVisited = async (repositoryId: number): Promise<boolean> => {
    number += 1;
    await stage.receiver.receive(signed(issueOpened(`visit-${number}`, repositoryId, number)));
    await stage.inbox.drain();
    return stage.visits.some((visit) => visit.number === number);
  };
  const deliver = async (event: string, payload: unknown): Promise<void> => {
    expect(await stage.receiver.receive(signed(sent(event, payload)))).toBe("accepted");
    await stage.inbox.drain();
  };
  expect(await isVisited(4)).toBe(false);
  await deliver("installation", {
    action: "created",
    installation: INSTALLATION,
    repositories: [repositoryOf(4)],
  });
  expect(await isVisited(4)).toBe(true);
  await deliver("installation", { action: "suspend", installation: later });
  expect(await isVisited(4)).toBe(false);
  // The first delivery arrives again, late and with another GUID.
  await deliver("installation", {
    action: "created",
    installation: INSTALLATION,
    repositories: [repositoryOf(4)],
  });
  expect(await isVisited(4)).toBe(false);
  await deliver("installation", { action: "unsuspend", installation: latest });
  expect(await isVisited(4)).toBe(true);
  await deliver("installation_repositories", {
    action: "removed",
    installation: latest,
    repositories_added: [],
    repositories_removed: [repositoryOf(4)],
  });
  expect(await isVisited(4)).toBe(false);
  await deliver("repository", { action: "deleted", repository: repositoryOf(1) });
  expect(await isVisited(1)).toBe(false);
  expect(await isVisited(2)).toBe(true);
  // Its owner restores the deleted repository, and a later listing names it.
  await stage.repositories.apply({
    type: "follow",
    repositoryId: 1,
    name: "octo/r1",
    installationId: 5,
    atMs: systemClock.nowMs() + 1,
  });
  expect(await isVisited(1)).toBe(true);
  await deliver("installation", { action: "deleted", installation: latest });
  expect(await isVisited(2)).toBe(false);
});

test("an archived repository enqueues no visit until it is unarchived, and then it is polled from the start (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  const polledTo = async (): Promise<unknown> =>
    (await stage.sql.rows(z.unknown(), "select polled_to from fleet_repository where repository_id = 1"))[0];
  const deliver = async (action: string, day: string, more: object): Promise<void> => {
    const repository = { ...repositoryOf(1), updated_at: `2026-01-${day}T00:00:00Z` };
    expect(await stage.receiver.receive(signed(sent("repository", { action, repository, ...more })))).toBe(
      "accepted",
    );
    await stage.inbox.drain();
  };
  await stage.sql.rows(z.unknown(), "update fleet_repository set polled_to = '2026-01-01T00:00:00Z'");
  await deliver("archived", "02", { installation: INSTALLATION });
  expect(await stage.repositories.follows(1)).toBe(false);
  // A webhook of the repository itself, which anybody who knows the secret may set up, has no installation.
  await deliver("unarchived", "03", {});
  expect(await stage.repositories.follows(1)).toBe(false);
  await deliver("unarchived", "03", { installation: INSTALLATION });
  expect(await stage.repositories.follows(1)).toBe(true);
  expect(await polledTo()).toEqual({ polled_to: null });
});

test("a repository that was renamed while the App did not cover it has its new name when it is added again (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  const covered = async (day: string, added: object[], removed: object[]): Promise<void> => {
    const installation = { id: 5, updated_at: `2026-01-${day}T00:00:00Z` };
    const payload = {
      action: "added",
      installation,
      repositories_added: added,
      repositories_removed: removed,
    };
    await stage.receiver.receive(signed(sent("installation_repositories", payload)));
    await stage.inbox.drain();
  };
  await covered("02", [], [repositoryOf(1)]);
  await covered("03", [repositoryOf(1, "octo/new")], []);
  expect(await stage.repositories.find(1)).toMatchObject({ name: "octo/new" });
});

test("with a list of repositories, no delivery makes the fleet follow another one, whoever installs the App (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  const inbox = openDeliveryInbox(stage.sql, { ...stage, clock: systemClock, listed: new Set([1, 6]) });
  const installation = { id: 9, updated_at: "2026-01-01T00:00:00Z" };
  for (const [event, payload] of [
    ["installation", { action: "created", installation, repositories: [repositoryOf(4), repositoryOf(6)] }],
    [
      "installation_repositories",
      { action: "added", installation, repositories_added: [repositoryOf(5)], repositories_removed: [] },
    ],
  ] as const)
    expect(await stage.receiver.receive(signed(sent(event, payload)))).toBe("accepted");
  await inbox.drain();
  expect(await stage.repositories.follows(6)).toBe(true);
  for (const other of [4, 5]) expect(await stage.repositories.follows(other)).toBe(false);
});

test("a renamed or transferred repository keeps its id and takes its newest name, in whatever order the deliveries arrive (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  for (const [name, day] of [
    ["new/newest", "03"],
    ["octo/renamed", "02"],
  ]) {
    const repository = { ...repositoryOf(1, name), updated_at: `2026-01-${day}T00:00:00Z` };
    await stage.receiver.receive(signed(sent("repository", { action: "renamed", repository })));
  }
  await stage.inbox.drain();
  const names = await stage.sql.rows(
    z.unknown(),
    "select name from fleet_repository where repository_id = 1",
  );
  expect(names).toEqual([{ name: "new/newest" }]);
});

test("the server refuses other paths, methods, types and bodies over 25 MiB, and answers 503 when the database is unreachable (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  await using server = await serveWebhooks(stage.receiver, {
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
  });
  const url = `http://127.0.0.1:${server.port}/webhooks`;
  const { headers, body } = signed(issueOpened("a", 1, 12));
  const post = async (to: string, init: RequestInit): Promise<number> =>
    (await fetch(to, { method: "POST", headers: headers as Record<string, string>, ...init })).status;
  const bytes = new Uint8Array(body);
  expect(await post(url, { body: bytes })).toBe(202);
  expect(await post(url, { body: bytes })).toBe(200);
  expect(await post(`${url}/x`, { body: bytes })).toBe(404);
  const read = await fetch(url);
  expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
  expect(
    await post(url, { body: bytes, headers: { "content-type": "application/x-www-form-urlencoded" } }),
  ).toBe(415);
  // The server may close the connection before the client has sent everything.
  await post(url, { body: new Uint8Array(26 * 1024 * 1024) }).catch(() => undefined);
  await poll("the refusal", () => stage.receiver.counts().oversized === 1);
  await stage.sql[Symbol.asyncDispose]();
  const next = signed(issueOpened("b", 1, 13));
  const init = { headers: next.headers as Record<string, string>, body: new Uint8Array(next.body) };
  expect(await post(url, init)).toBe(503);
});

test("the server keeps an idle connection longer than the 60 s for which a reverse proxy reuses one (F1)", async () => {
  await using stage = await webhookStage(systemClock);
  await using server = await serveWebhooks(stage.receiver, {
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
  });
  const agent = new Agent({ keepAlive: true });
  const { headers, body } = signed(issueOpened("a", 1, 12));
  const sending = request({ port: server.port, path: "/webhooks", method: "POST", agent, headers }).end(body);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  agent.destroy();
  expect(answer.headers["keep-alive"]).toBe("timeout=75");
});
