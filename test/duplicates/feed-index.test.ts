import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import {
  feedIndex,
  type IssueIndex,
  offerCandidates,
  offerForIndexed,
  openDuplicateIndexes,
  openIssueIndex,
} from "../../src/duplicates/index.ts";
import type { BatchEvent } from "../../src/triage/index.ts";
import { feedIndexes } from "../../src/triage/batch/duplicates/index.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const { signal } = new AbortController();

async function withFeed(
  use: (world: {
    github: ReturnType<typeof createFakeGithub>;
    index: IssueIndex;
    home: string;
    advance: (ms: number) => Promise<void>;
    feed: (maxRequests?: number) => ReturnType<typeof feedIndex>;
  }) => Promise<void>,
): Promise<void> {
  await using home = await temporaryDirectory();
  const clock = createVirtualClock();
  const github = createFakeGithub({ clock });
  const index = await openIssueIndex(join(home.path, "index.sqlite"), clock);
  try {
    const feed = (maxRequests = 10): ReturnType<typeof feedIndex> =>
      feedIndex(index, github.repo, github.reader, {
        maxRequests,
        isWithheld: ({ title }) => title.startsWith("Security:"),
        signal,
      });
    await use({ github, index, home: home.path, advance: (ms) => clock.advance(ms), feed });
  } finally {
    index.close();
  }
}

test("a feed does not index an issue that may report a vulnerability, and removes one that becomes such a report (D1, S16)", async () => {
  await withFeed(async ({ github, index, advance, feed }) => {
    const ref = await github.createIssue({ title: "Crash on an empty file" });
    await github.createIssue({ title: "Security: any file can be read" });
    expect(await feed()).toMatchObject({ indexed: 1 });
    expect(index.find(2)).toBeNull();
    await advance(1_000);
    await github.editIssue(ref, "reporter", { title: "Security: the crash runs code" });
    expect(await feed()).toMatchObject({ indexed: 0 });
    expect(index.size()).toBe(0);
  });
});

test("a feed stores no token from an issue's title or text (D1, S18)", async () => {
  const token = `ghp_${"aB3dE6gH9kL2nP5rS8uV".repeat(2).slice(0, 36)}`;
  await withFeed(async ({ github, home, feed }) => {
    await github.createIssue({ title: `It breaks with ${token}`, body: `Run it with \`TOKEN=${token}\`.` });
    expect(await feed()).toMatchObject({ indexed: 1 });
    const names = await readdir(home);
    const kept = await Promise.all(names.map((name) => readFile(join(home, name), "latin1")));
    expect(kept.join("").toLowerCase()).toContain("breaks with");
    expect(kept.join("").toLowerCase()).not.toContain("ab3de6gh9kl2");
  });
});

test("a feed indexes every issue and no pull request, and the next feed requests only later changes (D1)", async () => {
  await withFeed(async ({ github, index, advance, feed }) => {
    await github.createIssue({ title: "Crash on an empty file", by: "ann" });
    await advance(1_000);
    await github.createPullRequest({ title: "Fix the crash" });
    await advance(1_000);
    await github.createIssue({ title: "Crash when the file is empty" });
    expect(await feed()).toEqual({ type: "up-to-date", requests: 1, indexed: 2 });
    expect(index.size()).toBe(2);
    expect(index.find(1)).toMatchObject({
      title: "Crash on an empty file",
      state: "open",
      reporter: github.person("ann").id,
    });
    expect(await feed()).toMatchObject({ type: "up-to-date", requests: 1, indexed: 1 });
    const asked = github.calls.filter(({ operation }) => operation === "updatedIssues");
    expect(asked.map(({ argument }) => argument)).toEqual([null, index.cursor()]);
  });
});

test("an edited or closed issue replaces its earlier version in the index (D1)", async () => {
  await withFeed(async ({ github, index, advance, feed }) => {
    const ref = await github.createIssue({ title: "Old words" });
    await feed();
    await advance(1_000);
    await github.editIssue(ref, "reporter", { title: "Parser loops forever" });
    await github.setState(ref, "maintainer", "closed");
    await feed();
    expect(index.size()).toBe(1);
    expect(index.find(1)).toMatchObject({ title: "Parser loops forever", state: "closed" });
    const query = {
      number: 9,
      title: "The parser loops",
      body: "",
      createdMs: 0,
      state: "open",
      reporter: null,
    } as const;
    expect(offerCandidates(index, query, 3)).toMatchObject([
      { number: 1, why: { words: expect.arrayContaining(["parser"]) as string[] } },
    ]);
  });
});

test("a feed that has used up its requests resumes where it stopped, even if many issues share one second (D1)", async () => {
  await withFeed(async ({ github, index, advance, feed }) => {
    for (let number = 1; number <= 250; number += 1) {
      if (number === 30 || number === 240) await advance(1_000);
      await github.createIssue({ title: `Issue of batch ${number}` });
    }
    expect(await feed(1)).toMatchObject({ type: "more", requests: 1 });
    expect(index.size()).toBe(100);
    expect(await feed(10)).toMatchObject({ type: "up-to-date" });
    expect(index.size()).toBe(250);
  });
});

test("a feed that fails keeps the earlier pages (D1)", async () => {
  await withFeed(async ({ github, index, feed }) => {
    for (let number = 1; number <= 120; number += 1) await github.createIssue({ title: `Issue ${number}` });
    let calls = 0;
    github.intercept = ({ operation }, phase) => {
      if (operation === "updatedIssues" && phase === "before" && (calls += 1) === 2)
        throw new Error("GitHub is away");
    };
    await expect(feed()).rejects.toThrow("GitHub is away");
    expect(index.size()).toBe(100);
    github.intercept = () => undefined;
    await feed();
    expect(index.size()).toBe(120);
  });
});

test("a deleted or moved issue can be removed from the index, with its words (D1)", async () => {
  await withFeed(async ({ github, index, feed }) => {
    await github.createIssue({ title: "Crash on an empty file" });
    await feed();
    index.remove(1);
    index.remove(1);
    expect(index.size()).toBe(0);
    expect(index.find(1)).toBeNull();
    const query = {
      number: 9,
      title: "Crash on an empty file",
      body: "",
      createdMs: 0,
      state: "open",
      reporter: null,
    } as const;
    expect(offerCandidates(index, query, 3)).toEqual([]);
  });
});

test("a search by an indexed issue's number finds the same candidates as one by its text (D1)", async () => {
  await withFeed(async ({ github, index, feed }) => {
    for (const title of ["Crash on an empty file", "Dark theme", "The empty file makes it crash"])
      await github.createIssue({ title, body: "at readFile (index.js:3)\nTypeError: x is undefined" });
    await feed();
    const text = {
      number: 3,
      title: "The empty file makes it crash",
      body: "at readFile (index.js:3)\nTypeError: x is undefined",
      createdMs: Date.parse(
        (await github.reader.updatedIssues(github.repo, { since: null, page: 1 }, signal))[2]?.createdAt ??
          "",
      ),
      state: "open",
      reporter: null,
    } as const;
    const numbers = index.similar(text, 5).map(({ number }) => number);
    expect(index.similarTo(3, 5)?.map(({ number }) => number)).toEqual(numbers);
    expect(index.similarTo(99, 5)).toBeNull();
    expect(numbers[0]).toBe(1);
    expect(offerForIndexed(index, 3, 1)).toMatchObject([
      { number: 1, why: { frames: ["readFile"], errors: expect.arrayContaining(["TypeError"]) as string[] } },
    ]);
    expect(offerForIndexed(index, 99, 1)).toBeNull();
  });
});

test("a damaged index is deleted, and the next feed builds it anew from the repository (D1, D4)", async () => {
  await using directory = await temporaryDirectory();
  const clock = createVirtualClock();
  const github = createFakeGithub({ clock });
  await github.createIssue({ title: "Crash on an empty list" });
  const { repo } = github;
  await writeFile(join(directory.path, `${repo.replace("/", "__")}.sqlite`), "not a database ".repeat(500), {
    mode: 0o600,
  });
  using indexes = openDuplicateIndexes(directory.path, clock);
  const warnings: string[] = [];
  const ports = {
    duplicates: indexes,
    reader: github.reader,
    observe: (event: BatchEvent) => event.type === "warning" && warnings.push(event.message),
  };
  const settings = { duplicates: { candidates: 5, requests: 5 } } as never;
  const feed = (): Promise<void> => feedIndexes([repo], { settings, ports, stop: signal });
  await feed();
  expect(warnings).toEqual([expect.stringMatching(/was damaged and is deleted.*build it anew/)]);
  await feed();
  expect((await indexes.of(repo)).size()).toBe(1);
  await indexes.discard(repo);
  expect((await indexes.of(repo)).size()).toBe(0);
  expect(warnings).toHaveLength(1);
});

test("an index that could not be opened is opened again when it is next asked for (D1)", async () => {
  await using directory = await temporaryDirectory();
  const repo = "octo/widgets";
  const path = join(directory.path, "octo__widgets.sqlite");
  await mkdir(path);
  using indexes = openDuplicateIndexes(directory.path, createVirtualClock());
  await expect(indexes.of(repo)).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_/) as string });
  await rmdir(path);
  expect((await indexes.of(repo)).size()).toBe(0);
  expect(await indexes.of(repo)).toBe(await indexes.of(repo));
});
