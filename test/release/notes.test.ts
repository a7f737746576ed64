import { join } from "node:path";
import type { OperationalError } from "agent-tty/kit";
import { describe, expect, test, vi } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-codes.ts";
import {
  gitIn,
  type NotesSummary,
  parseNotesSubject,
  repositoryRoot,
  type RegressionPorts,
  type StoredVerdict,
  writeNotes,
} from "../../src/release/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { mergedStage, type ReleaseStage, useReleaseStages } from "./stage.ts";

// Each test starts git about a hundred times, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

useReleaseStages();

const REPO = "owner/thing";

function verdict(number: number, change: Partial<StoredVerdict> = {}): StoredVerdict {
  return {
    ref: { repo: REPO, number },
    verdict: "still-broken",
    checkedAt: "2026-11-20T09:30:00.000Z",
    commit: "0123456789abcdef",
    matchedRuns: 3,
    runs: 3,
    isGraded: true,
    ...change,
  };
}

async function notes(
  stage: ReleaseStage,
  text: string,
  ports: Partial<RegressionPorts> = {},
): Promise<NotesSummary> {
  const subject = parseNotesSubject(text);
  if (subject === null) throw new Error(`${text} is no subject`);
  return writeNotes(
    { subject, repo: REPO },
    {
      git: gitIn(stage.checkout, { env: stage.env, signal: new AbortController().signal }),
      verdicts: () => Promise.resolve([]),
      openIssue: ({ number }) => Promise.resolve({ title: `Issue ${number}`, url: "https://x" }),
      ...ports,
    },
  );
}

test("release ends with exit code 4 in a directory that is in no checkout, and says so (A23)", async () => {
  await using directory = await temporaryDirectory();
  const git = gitIn(directory.path, {
    env: { PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const error = (await repositoryRoot(git).catch((each: unknown) => each)) as OperationalError;
  expect(error.message).toBe(
    `find the repository of the current directory: ${directory.path} is not in a git checkout`,
  );
  expect([error.remedy, exitCodeOf(error.code)]).toEqual(["Run it in a checkout of the repository.", 4]);
});

describe("the subject of release notes is parsed (A23)", () => {
  const rows: [string, object | null][] = [
    ["", { type: "unreleased" }],
    ["1.2.0", { type: "version", version: "1.2.0" }],
    ["v1.2.0-rc.1", { type: "version", version: "1.2.0-rc.1" }],
    ["v1.0.0..v1.2.0", { type: "range", from: "v1.0.0", to: "v1.2.0" }],
    ["main..topic/x.y", { type: "range", from: "main", to: "topic/x.y" }],
    ["--output=x..y", null],
    ["1.2", null],
    ["a...b", null],
    ["..b", null],
  ];
  test.for(rows)("%s", ([text, expected]) => expect(parseNotesSubject(text)).toEqual(expected));
});

test("notes use the changelog's text if it has any, otherwise the commits (A23)", async () => {
  await using stage = await mergedStage();
  await stage.finalize({ push: true });
  await stage.commit("Stop @everyone\n\nCloses #3");
  expect(await notes(stage, "v0.2.0")).toMatchObject({
    schema: "afk-triage/release-notes@1",
    title: "v0.2.0",
    source: "changelog",
    range: { from: "v0.1.0", to: "v0.2.0" },
    markdown: expect.stringContaining("- paint for `@bob`"),
  });
  expect(await notes(stage, "")).toMatchObject({
    source: "commits",
    markdown: expect.stringMatching(/^### Changed\n\n- Stop `@everyone` \(\w{8}\)\n$/),
  });
  const range = await notes(stage, "v0.1.0..v0.2.0");
  expect(range.markdown).toMatch(/^## v0\.2\.0\n\n### Added\n/);
  expect((await notes(stage, "v0.1.0..main")).markdown).toContain("Stop `@everyone`");
  await expect(notes(stage, "v0.1.0..nowhere")).rejects.toMatchObject({ code: "RELEASE_RANGE_UNKNOWN" });
});

test("known regressions are those that are still broken and whose issue is open; they close the gate (A23)", async () => {
  await using stage = await mergedStage();
  const asked: number[] = [];
  const summary = await notes(stage, "v0.2.0", {
    verdicts: () =>
      Promise.resolve([
        verdict(9),
        verdict(2, { verdict: "fixed" }),
        verdict(3, { verdict: "flaky", matchedRuns: 1 }),
        verdict(4),
      ]),
    openIssue: ({ number }) => {
      asked.push(number);
      const title = "Crash\u001b[31m <!-- x --> for @bob, fixes other/repo#1";
      return Promise.resolve(number === 9 ? { title, url: "https://x" } : null);
    },
  });
  expect(asked).toEqual([9, 4]);
  expect(summary).toMatchObject({
    gate: "closed",
    regressions: [{ ref: { number: 9 }, verdict: "still-broken" }],
  });
  const line = summary.markdown.split("### Known confirmed regressions\n\n")[1];
  expect(line).toMatch(/^- #9: Crash .*\(reproduced 3\/3 on 2026-11-20 at 01234567\)\n$/);
  expect(line).toContain("`@bob`");
  expect(line).toContain("`other/repo#1`");
  expect(line).not.toContain("\u001b");
  expect(line).toContain("\\<!-- x -->");
  expect((await notes(stage, "v0.2.0")).gate).toBe("open");
});

test("the gate stays closed if a reproduction or an issue cannot be read (A23)", async () => {
  await using stage = await mergedStage();
  const broken = (): Promise<never> => Promise.reject(new Error("unreadable"));
  await expect(notes(stage, "", { verdicts: broken })).rejects.toThrow("unreadable");
  const verdicts = (): Promise<StoredVerdict[]> => Promise.resolve([verdict(1)]);
  await expect(notes(stage, "", { verdicts, openIssue: broken })).rejects.toThrow("unreadable");
});

test("a git that cannot be started is not said to have an exit code, and the remedy names the PATH", async () => {
  await using directory = await temporaryDirectory();
  const { signal } = new AbortController();
  const git = gitIn(directory.path, { env: { PATH: join(directory.path, "nowhere") }, signal });
  await expect(git.text(["status"])).rejects.toMatchObject({
    code: "RELEASE_GIT_FAILED",
    message: expect.stringMatching(/^git status: it did not run to its end: .*ENOENT/s) as string,
    remedy: expect.stringContaining("on the PATH") as string,
  });
});
