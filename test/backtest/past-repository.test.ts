import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { openPastRepository } from "../../src/backtest/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const signal = new AbortController().signal;
const ports = { ids: systemIds(systemClock), clock: systemClock };
const dayMs = (day: number): number => Date.parse(`2026-01-0${day}T12:00:00Z`);

/** Opens the history of a repository with one commit for each pair of subject and commit date, oldest first. */
async function openHistory(directory: string, commits: readonly (readonly [string, string])[]) {
  const cwd = join(directory, "product");
  const git = async (date: string, ...args: string[]): Promise<string> => {
    const env = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" };
    const named = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
    return (await execa("git", [...named, ...args], { cwd, env })).stdout;
  };
  await mkdir(cwd);
  await git("", "init", "--quiet", "--initial-branch=main");
  for (const [subject, date] of commits)
    await git(date, "commit", "--quiet", "--allow-empty", "--message", subject);
  const bundle = join(directory, "whole.bundle");
  await git("", "bundle", "create", "--quiet", bundle, "HEAD", "main");
  const open = () =>
    openPastRepository(join(directory, "past"), "main", () => readFile(bundle), ports, signal);
  const subjectOf = async (commit: string | null): Promise<string | null> =>
    commit === null ? null : git("", "log", "-1", "--format=%s", commit);
  return { open, subjectOf };
}

test("a commit with a date before that of its predecessor does not bring later commits into the past (E1)", async () => {
  await using directory = await temporaryDirectory();
  const { open, subjectOf } = await openHistory(directory.path, [
    ["one", "2026-01-01T00:00:00Z"],
    ["two", "2026-01-02T00:00:00Z"],
    ["a clock in the future", "2037-01-01T00:00:00Z"],
    ["three", "2026-01-03T00:00:00Z"],
    ["Fix", "2026-01-07T00:00:00Z"],
    ["written before the fix, pushed after it", "2026-01-04T00:00:00Z"],
    ["later", "2026-01-09T00:00:00Z"],
  ]);
  const past = await open();
  const before = async (atMs: number): Promise<string | null> =>
    subjectOf(await past.commitBefore(atMs, signal));
  expect(await before(dayMs(1) - 24 * 3_600_000)).toBe(null);
  expect(await before(dayMs(2))).toBe("two");
  expect(await before(dayMs(5))).toBe("three");
  expect(await before(dayMs(8))).toBe("written before the fix, pushed after it");
  expect(await before(dayMs(9))).toBe("later");
});

test("a backtest whose first fetch was killed fetches the repository again (E1)", async () => {
  await using directory = await temporaryDirectory();
  const { open, subjectOf } = await openHistory(directory.path, [["one", "2026-01-01T00:00:00Z"]]);
  const bin = join(directory.path, "bin");
  await mkdir(bin);
  // This is the state after a clone was killed: it has begun its directory.
  const killed = '#!/bin/sh\nfor last; do :; done\nmkdir -p "$last"\necho x >"$last/HEAD"\nkill -9 $$\n';
  await writeFile(join(bin, "git"), killed);
  await chmod(join(bin, "git"), 0o755);
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"] ?? ""}`);
  try {
    await expect(open()).rejects.toMatchObject({ code: "BACKTEST_PAST_UNREADABLE" });
  } finally {
    vi.unstubAllEnvs();
  }
  const past = await open();
  expect(await subjectOf(await past.commitBefore(dayMs(2), signal))).toBe("one");
});
