import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  followedRepositories,
  followInstallations,
  followListed,
  openSqliteSql,
} from "../../src/fleet/index.ts";
import type { InstallationReader, RepositoryName } from "../../src/github/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const signal = new AbortController().signal;

async function followStage() {
  const directory = await temporaryDirectory();
  const time = { nowMs: 1_000 };
  const clock = { ...systemClock, nowMs: () => time.nowMs };
  const sql = await openSqliteSql(`${directory.path}/fleet.sqlite`, clock);
  const repositories = followedRepositories(sql);
  return {
    time,
    clock,
    repositories,
    names: async () => (await repositories.all()).map(({ name }) => name),
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** The App's installations: from the id to the repositories; null: suspended. */
function installed(installations: Record<number, Record<number, RepositoryName> | null>): InstallationReader {
  return {
    installations: () =>
      Promise.resolve({
        atMs: null,
        installations: Object.entries(installations).map(([id, covers]) => ({
          id: Number(id),
          isSuspended: covers === null,
        })),
      }),
    repositories: (id) =>
      Promise.resolve(
        Object.entries(installations[id] ?? {}).map(([repositoryId, name]) => {
          return { id: Number(repositoryId), name, isArchived: name.endsWith("archived") };
        }),
      ),
  };
}

test("a fleet follows what the App's installations cover now, after repositories and installations are added, removed, renamed, suspended and deleted (F1)", async () => {
  await using stage = await followStage();
  const follow = (installations: Parameters<typeof installed>[0]): Promise<void> => {
    stage.time.nowMs += 1_000;
    return followInstallations(stage.repositories, installed(installations), stage.clock, signal);
  };
  await follow({ 1: { 10: "octo/a", 11: "octo/b", 12: "octo/archived" }, 2: { 20: "acme/c" } });
  expect(await stage.names()).toEqual(["octo/a", "octo/b", "acme/c"]);
  await follow({ 1: { 10: "octo/renamed" }, 2: null });
  expect(await stage.names()).toEqual(["octo/renamed"]);
  await follow({ 1: { 10: "octo/renamed" }, 2: { 20: "acme/c" } });
  expect(await stage.names()).toEqual(["octo/renamed", "acme/c"]);
  await follow({ 1: { 10: "octo/renamed" } });
  expect(await stage.names()).toEqual(["octo/renamed"]);
});

test("a change that GitHub reports after a listing wins, even if this machine's clock is ahead (F1)", async () => {
  await using stage = await followStage();
  const { repositories, time, clock } = stage;
  const githubMs = time.nowMs;
  time.nowMs += 600_000;
  const listed = installed({ 1: { 10: "octo/a", 11: "octo/b" }, 2: { 20: "acme/c" } });
  const reader: InstallationReader = {
    ...listed,
    installations: async () => ({ ...(await listed.installations(signal)), atMs: githubMs }),
  };
  await followInstallations(repositories, reader, clock, signal);
  const atMs = githubMs + 1_000;
  await repositories.apply({ type: "leave", repositoryId: 11, name: "octo/b", atMs });
  await repositories.apply({ type: "installation", installationId: 2, state: "suspended", atMs });
  expect(await stage.names()).toEqual(["octo/a"]);
});

test("an installation that is made while the fleet lists them stays followed (F1)", async () => {
  await using stage = await followStage();
  const { repositories, time } = stage;
  const before = installed({ 1: { 10: "octo/a" } });
  const reader: InstallationReader = {
    ...before,
    repositories: async (id) => {
      const atMs = time.nowMs + 1_000;
      await repositories.apply({ type: "installation", installationId: 2, state: "active", atMs });
      const name = "acme/new";
      await repositories.apply({ type: "follow", repositoryId: 20, name, installationId: 2, atMs });
      return before.repositories(id, signal);
    },
  };
  await followInstallations(repositories, reader, stage.clock, signal);
  expect(await stage.names()).toEqual(["octo/a", "acme/new"]);
});

test("an installation that a listing lacked, because GitHub's pages shifted, is followed again with the next one (F1)", async () => {
  await using stage = await followStage();
  const follow = (installations: Parameters<typeof installed>[0]): Promise<void> => {
    stage.time.nowMs += 1_000;
    return followInstallations(stage.repositories, installed(installations), stage.clock, signal);
  };
  await follow({ 1: { 10: "octo/a" }, 2: { 20: "acme/c" } });
  await follow({ 1: { 10: "octo/a" } });
  await follow({ 1: { 10: "octo/a" }, 2: { 20: "acme/c" } });
  expect(await stage.names()).toEqual(["octo/a", "acme/c"]);
});

test("a fleet with a list of repositories leaves those that the list does not name: earlier ones, and those of the GitHub App (F1)", async () => {
  await using stage = await followStage();
  const { repositories, time } = stage;
  const app = installed({ 1: { 2: "octo/b", 3: "octo/c" }, 4: { 5: "acme/d" } });
  await followInstallations(repositories, app, stage.clock, signal);
  expect(await stage.names()).toEqual(["octo/b", "octo/c", "acme/d"]);
  const suspended = { type: "installation", installationId: 4, state: "suspended" } as const;
  await repositories.apply({ ...suspended, atMs: time.nowMs });
  await followListed(
    repositories,
    [
      { id: 1, name: "octo/a" },
      { id: 2, name: "octo/b" },
    ],
    time,
  );
  await repositories.apply({ ...suspended, state: "active", atMs: time.nowMs });
  expect(await stage.names()).toEqual(["octo/a", "octo/b"]);
  await followListed(repositories, [{ id: 2, name: "octo/b-now" }], { nowMs: time.nowMs + 1 });
  expect(await stage.names()).toEqual(["octo/b-now"]);
});
