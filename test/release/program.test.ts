import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { poll } from "../support/batch/poll.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { type Ended, runInProcess } from "../support/cli/run-in-process.ts";
import { issue } from "../support/github/http-github.ts";
import { readText, type ReleaseStage, releaseStage, useReleaseStages } from "./stage.ts";

useReleaseStages();

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
}, 90_000);
afterAll(() => program[Symbol.asyncDispose]());

interface Released extends Omit<Ended, "stdout"> {
  document: Record<string, unknown>;
}

async function release(stage: ReleaseStage, args: readonly string[], env = {}): Promise<Released> {
  return released(await start(stage, args, env));
}

/** Runs the same in the test's process, for tests that are not about the process. */
async function releaseHere(stage: ReleaseStage, args: readonly string[], env = {}): Promise<Released> {
  return released(await runInProcess(...argumentsOf(stage, args, env)));
}

function released(ended: Ended): Released {
  const document = ended.stdout === "" ? {} : (JSON.parse(ended.stdout) as Record<string, unknown>);
  return { exitCode: ended.exitCode, document, stderr: ended.stderr };
}

function start(stage: ReleaseStage, args: readonly string[], env = {}): ReturnType<BuiltProgram["start"]> {
  return program.start(...argumentsOf(stage, args, env));
}

function argumentsOf(stage: ReleaseStage, args: readonly string[], env = {}) {
  const place = { cwd: stage.checkout, env: { ...stage.env, SHELL: "/bin/bash", ...env } };
  return [["release", ...args, "--home", stage.home], place] as const;
}

test("a prep that was killed during the verification is run again, then merged and finalized (A23, A24)", async () => {
  await using stage = await releaseStage();
  const quick = ["--setup", "true", "--verify", "node --version"];
  const waiting = "touch begun; until [ -e never ]; do sleep 0.05; done";
  const killed = start(stage, ["prep", "--setup", "true", "--verify", waiting]);
  const worktree = await poll("the verification to begin", () => begunWorktree(stage));
  killed.kill("SIGKILL");
  expect((await killed).signal).toBe("SIGKILL");
  expect(await stage.git("status", "--porcelain", "--branch")).toBe("## main");

  const failed = await release(stage, [
    "prep",
    "--setup",
    "true",
    "--verify",
    "echo no >&2; (exit 4)",
    "--push",
  ]);
  expect(failed).toMatchObject({ exitCode: 1, document: { status: "verification-failed" } });
  expect(failed.stderr).toContain("exit code 4");
  expect(existsSync(worktree)).toBe(false);

  const { exitCode, document } = await release(stage, ["prep", ...quick, "--push"]);
  expect({ exitCode, document }).toMatchObject({
    exitCode: 0,
    document: {
      status: "prepared",
      branch: { action: "kept", pushed: true },
      verification: {
        commands: [
          { kind: "setup", command: "true" },
          { exitCode: 0, output: process.version },
        ],
      },
    },
  });
  const { recording } = document["verification"] as { recording: string };
  expect(await readText("/", recording)).toContain(process.version);

  await stage.merge("0.2.0");
  expect(await releaseHere(stage, ["finalize", "--push"])).toMatchObject({
    exitCode: 0,
    document: { schema: "afk-triage/release-finalize@1", status: "published", tag: "v0.2.0" },
  });
  expect(await releaseHere(stage, ["prep", ...quick])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringMatching(/RELEASE_NOTHING_NEW: .*\nWhat to do: /),
  });
});

test("notes --gate ends with 3 while a stored reproduction is still broken and its issue is open, but not for an ungraded one (V11, A23)", async () => {
  await using stage = await releaseStage();
  await using github = await issueServer();
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: "a-token" };
  const notes = ["notes", "--repo", "octo/widgets", "--gate", "--out", "notes.md"];
  expect(await releaseHere(stage, notes)).toMatchObject({ exitCode: 0, document: { gate: "open" } });
  // Stored by a version that had no control runs (V11).
  await storeReproduction(stage.home, "still-broken", null);
  expect(await releaseHere(stage, notes, env)).toMatchObject({ exitCode: 0, document: { gate: "open" } });
  await storeReproduction(stage.home, "still-broken", "ungraded:3/3:0/0:fresh");
  expect(await releaseHere(stage, notes, env)).toMatchObject({ exitCode: 0, document: { gate: "open" } });
  await storeReproduction(stage.home, "still-broken");
  expect(await releaseHere(stage, notes, env)).toMatchObject({
    exitCode: 3,
    document: { gate: "closed", regressions: [{ ref: { number: 7 } }] },
    stderr: expect.stringContaining("octo/widgets#7 still broken and open"),
  });
  expect(await readText(stage.checkout, "notes.md")).toContain("- #7: Stop `@everyone` (reproduced 3/3");
  github.answer("closed");
  expect(await releaseHere(stage, notes, env)).toMatchObject({ exitCode: 0, document: { gate: "open" } });
  await writeFile(join(stage.home, "reproductions/octo__widgets/8.json"), "half a fi");
  expect(await releaseHere(stage, notes, env)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("REPRODUCTION_UNREADABLE"),
  });
});

test("--version sets the release's version, and an invalid version is a usage error (A23)", async () => {
  await using stage = await releaseStage();
  expect(await releaseHere(stage, ["prep", "--dry-run", "--version", "2.0.0"])).toMatchObject({
    exitCode: 0,
    document: { status: "planned", version: "2.0.0" },
  });
  const rows: [string[], RegExp][] = [
    [["prep", "--version", "two"], /'two' is invalid.*1\.2\.0/],
    [["prep", "--bump", "huge"], /'huge' is invalid.*major, minor, patch/],
    [["prep", "--bump", "major", "--version", "2.0.0"], /cannot be used with/],
    [["notes", "not a version"], /"not a version" is neither/],
  ];
  for (const [args, stderr] of rows)
    expect(await releaseHere(stage, args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(stderr),
    });
});

/** Returns the worktree once the verification's first command has run in it. */
async function begunWorktree({ home }: ReleaseStage): Promise<string | undefined> {
  const names = await readdir(join(home, "releases"), { recursive: true }).catch(() => []);
  const begun = names.find((name) => /worktree-\w+\/begun$/.test(name));
  return begun === undefined ? undefined : dirname(join(home, "releases", begun));
}

async function storeReproduction(
  home: string,
  verdict: string,
  evidence: string | null = "verified:3/3:0/4:fresh",
): Promise<void> {
  const directory = join(home, "reproductions/octo__widgets");
  await mkdir(directory, { recursive: true });
  const at = "2026-11-20T09:30:00.000Z";
  const check = {
    at,
    runId: "20261120T093000Z",
    commit: null,
    verdict,
    matchedRuns: 3,
    runs: 3,
    ...(evidence === null ? {} : { evidence }),
  };
  await writeFile(
    join(directory, "7.json"),
    JSON.stringify({
      schema: "afk-triage/reproduction@1",
      repo: "octo/widgets",
      number: 7,
      title: "As it was",
      script: "exit 1",
      expect: { exitCode: 1, outputContains: null },
      signature: null,
      checks: [check],
    }),
  );
}

/** Serves the one issue that the test needs from GitHub. */
async function issueServer(): Promise<AsyncDisposable & { url: string; answer: (state: string) => void }> {
  let state = "open";
  const server: Server = createServer((request, response) => {
    const isIssue = request.url === "/repos/octo/widgets/issues/7";
    response.writeHead(isIssue ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isIssue ? { ...issue, title: "Stop @everyone", state } : {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next) => {
      state = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
