import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { gitIn, type PrepOptions, type PrepStep } from "../../src/release/index.ts";
import { takeExclusiveLock } from "../../src/store/index.ts";
import {
  failing,
  killedAt,
  passing,
  readText,
  type ReleaseStage,
  releaseStage,
  useReleaseStages,
} from "./stage.ts";

// Each test starts git about a hundred times, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 90_000 });

useReleaseStages();

test("prep writes the version and the changelog to a branch, verifies it, and creates no tag (A23)", async () => {
  await using stage = await releaseStage();
  const before = await stage.state();
  const summary = await stage.prep({ versionFiles: ["src/version.ts"], push: true });
  expect(summary).toMatchObject({
    schema: "afk-triage/release-prep@1",
    status: "prepared",
    version: "0.2.0",
    previousVersion: "0.1.0",
    branch: { name: "release/v0.2.0", action: "created", pushed: true },
    files: [
      "package.json",
      "packages/part/package.json",
      "package-lock.json",
      "src/version.ts",
      "CHANGELOG.md",
    ],
    verification: { status: "passed", reused: false, commands: [{ command: "npm run check", exitCode: 0 }] },
  });
  const branch = "origin/release/v0.2.0";
  await stage.git("fetch", "--quiet", "origin");
  expect(await stage.git("log", "--format=%s", `main..${branch}`)).toBe("Release v0.2.0");
  expect(JSON.parse(await stage.git("show", `${branch}:package.json`))).toMatchObject({
    version: "0.2.0",
    devDependencies: { part: "0.2.0", other: "0.1.0" },
  });
  expect(await stage.git("show", `${branch}:packages/apart/package.json`)).toContain('"3.0.0"');
  expect(await stage.git("show", `${branch}:CHANGELOG.md`)).toContain("- paint for `@bob`, closes `#7` (");
  const after = await stage.state();
  expect(after).toMatchObject({ status: before["status"], worktrees: 1, left: [] });
  expect(await stage.git("tag")).toBe("v0.1.0");
  const body = await readText("/", summary.pullRequest?.bodyFile ?? "");
  for (const part of ["`npm run check` | 0 | 1.5 s", ".cast`", "## Why this version", "paint for `@bob`"])
    expect(body).toContain(part);
});

test("a failed verification keeps the branch for review, pushes nothing and is reported (A23)", async () => {
  await using stage = await releaseStage();
  const summary = await stage.prep({ push: true }, { collectEvidence: failing });
  expect(summary).toMatchObject({
    status: "verification-failed",
    branch: { pushed: false },
    verification: { status: "failed", commands: [{ exitCode: 1, output: "what it printed" }] },
    pullRequest: null,
  });
  expect(await stage.git("ls-remote", "origin", "release/*")).toBe("");
  expect(await stage.prep({ push: true })).toMatchObject({
    status: "prepared",
    branch: { action: "kept", pushed: true },
    verification: { status: "passed", reused: false },
  });
});

test("a dry run prints the plan and writes nothing (A23)", async () => {
  await using stage = await releaseStage();
  const before = await stage.state();
  expect(await stage.prep({ dryRun: true, wish: { type: "exact", version: "2.0.0" } })).toMatchObject({
    status: "planned",
    version: "2.0.0",
    branch: { commit: null },
    verification: null,
  });
  expect(await stage.state()).toEqual(before);
});

test("a second prep with --push keeps the branch and the evidence and only pushes; other verification commands run again (A23)", async () => {
  await using stage = await releaseStage();
  const first = await stage.prep();
  const again = await stage.prep({ push: true }, { collectEvidence: () => Promise.reject(new Error("ran")) });
  expect(again).toMatchObject({
    branch: { commit: first.branch.commit, action: "kept", pushed: true },
    verification: { reused: true },
  });
  expect(await stage.prep({ verify: ["true"] })).toMatchObject({ verification: { reused: false } });
});

test("prep starts over from the new head if the default branch has moved locally or on the remote (A23)", async () => {
  await using stage = await releaseStage();
  await stage.prep({ push: true });
  const base = await stage.commit("fix: one more");
  const again = await stage.prep({ push: true });
  expect(again).toMatchObject({ base: { commit: base }, branch: { action: "replaced", pushed: true } });
  expect(await stage.git("ls-remote", "origin", "release/*")).toContain(again.branch.commit);
});

test("prep with a new clone and a new home goes on from what an earlier one pushed, unless somebody has changed it (A23)", async () => {
  await using stage = await releaseStage();
  const first = await (await stage.runner("-1")).prep({ push: true });
  const second = await (await stage.runner("-2")).prep({ push: true });
  expect(second.branch).toMatchObject({ commit: first.branch.commit, action: "kept", pushed: true });
  const base = await stage.commit("fix: one more");
  const moved = await (await stage.runner("-3")).prep({ push: true });
  expect(moved).toMatchObject({ base: { commit: base }, branch: { action: "replaced", pushed: true } });
  expect(await stage.git("ls-remote", "origin", "release/*")).toContain(moved.branch.commit);

  const reviewer = await stage.runner("-4");
  await reviewer.git("switch", "--quiet", "release/v0.2.0");
  await reviewer.write({ "CHANGELOG.md": "better words\n" });
  await reviewer.git("commit", "--quiet", "--all", "--amend", "--no-edit");
  await reviewer.git("push", "--quiet", "--force", "origin", "release/v0.2.0");
  const refused = (await stage.runner("-5")).prep({ push: true });
  await expect(refused).rejects.toMatchObject({ code: "RELEASE_BRANCH_TAKEN" });
});

const STEPS: PrepStep[] = [
  "locked",
  "fetched",
  "planned",
  "worktree-added",
  "files-written",
  "committed",
  "recorded",
  "branch-set",
  "verifying",
  "evidence-collected",
  "verified",
  "pushed",
  "reported",
];

test("prep reaches the same result when it is killed after any step and run again (A23)", async () => {
  await using undisturbed = await releaseStage();
  await undisturbed.prep({ push: true });
  await using stage = await releaseStage();
  for (const step of STEPS) {
    // Each prep has to cope with what the killed one before it left behind.
    await killedAt<PrepStep>(step, (observe) => stage.prep({ push: true }, { observe }));
    expect([step, await stage.git("status", "--porcelain", "--branch")]).toEqual([step, "## main"]);
  }
  expect(await stage.prep({ push: true })).toMatchObject({
    status: "prepared",
    verification: { reused: true },
  });
  expect(await stage.state()).toEqual(await undisturbed.state());
});

test("a stop during the verification leaves neither a checkout nor a lock behind (A23)", async () => {
  await using stage = await releaseStage();
  const controller = new AbortController();
  const failure = stage.prep(
    {},
    {
      git: gitIn(stage.checkout, { env: stage.env, signal: controller.signal }),
      collectEvidence: () => {
        controller.abort();
        return Promise.reject(new Error("stopped"));
      },
    },
  );
  await expect(failure).rejects.toThrow("stopped");
  expect(await stage.state()).toMatchObject({ status: "## main", worktrees: 1, left: [] });
});

test("prep finds the last release in a clone that was made without tags (A23)", async () => {
  await using stage = await releaseStage();
  await stage.git("config", "remote.origin.tagOpt", "--no-tags");
  await stage.git("tag", "--delete", "v0.1.0");
  const tracking = "refs/remotes/origin/main";
  expect(await stage.prep({ dryRun: true })).toMatchObject({ version: "0.2.0", previousVersion: "0.1.0" });
  // Now only the position of the remote's branch is missing.
  await stage.git("update-ref", tracking, "HEAD~");
  await stage.prep({ dryRun: true });
  expect(await stage.git("rev-parse", tracking)).toBe(await stage.git("rev-parse", "HEAD"));
});

test("a running prep is not disturbed by another, and its lock ends with it (A23)", async () => {
  await using stage = await releaseStage();
  let atWork = (): void => undefined;
  let goOn = (): void => undefined;
  const isAtWork = new Promise<void>((resolve) => (atWork = resolve));
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const observe = async (step: PrepStep): Promise<void> => {
    if (step !== "verifying") return;
    atWork();
    await mayGoOn;
  };
  const first = stage.prep({}, { observe, takeLock: takeExclusiveLock });
  await isAtWork;
  await expect(stage.prep({}, { takeLock: takeExclusiveLock })).rejects.toMatchObject({
    code: "RELEASE_BUSY",
  });
  goOn();
  expect(await first).toMatchObject({ status: "prepared" });
  expect(await stage.prep({}, { takeLock: takeExclusiveLock })).toMatchObject({ status: "prepared" });
});

describe("a checkout that cannot be released from is refused with a remedy (A23)", () => {
  const rows: [string, (stage: ReleaseStage) => Promise<unknown>, string, Partial<PrepOptions>?][] = [
    [
      "a changed file",
      ({ checkout }) => writeFile(join(checkout, "package.json"), "{}"),
      "RELEASE_TREE_DIRTY",
    ],
    ["an untracked file", ({ checkout }) => writeFile(join(checkout, "new"), ""), "RELEASE_TREE_DIRTY"],
    ["a detached HEAD", ({ git }) => git("switch", "--detach"), "RELEASE_HEAD_DETACHED"],
    ["another branch", ({ git }) => git("switch", "--create", "topic"), "RELEASE_NOT_ON_DEFAULT_BRANCH"],
    [
      "a commit that exists only locally",
      ({ git }) => git("commit", "--allow-empty", "-m", "x"),
      "RELEASE_OUT_OF_STEP",
    ],
    [
      "a commit that exists only on the remote",
      ({ git }) => git("reset", "--hard", "HEAD~"),
      "RELEASE_OUT_OF_STEP",
    ],
    ["an unknown remote", () => Promise.resolve(), "RELEASE_REMOTE_UNUSABLE", { remote: "upstream" }],
    [
      "nothing since the last tag",
      ({ git }) => git("tag", "-a", "v0.2.0", "-m", "v0.2.0"),
      "RELEASE_NOTHING_NEW",
    ],
    [
      "the version's tag on a side branch of the remote",
      async ({ git }) => {
        const side = await git("commit-tree", "-p", "HEAD~", "-m", "Side", "HEAD^{tree}");
        await git("push", "origin", `${side}:refs/tags/v0.2.0`);
        await git("fetch", "--tags");
      },
      "RELEASE_TAG_TAKEN",
    ],
    [
      "the branch with other content",
      ({ git }) => git("branch", "release/v0.2.0", "HEAD~"),
      "RELEASE_BRANCH_TAKEN",
    ],
    [
      "the branch with other content on the remote",
      ({ git }) => git("push", "origin", "main:refs/heads/release/v0.2.0"),
      "RELEASE_BRANCH_TAKEN",
    ],
  ];
  test.for(rows)("%s", async ([, spoil, code, options]) => {
    await using stage = await releaseStage();
    await spoil(stage);
    const before = await stage.state();
    const failure = stage.prep({ push: true, ...options }, { collectEvidence: passing });
    await expect(failure).rejects.toMatchObject({ code, remedy: expect.stringMatching(/\w/) });
    expect(await stage.state()).toEqual(before);
  });
});

test("a reviewer's commit on the release branch is not overwritten (A23)", async () => {
  await using stage = await releaseStage();
  await stage.prep();
  await stage.git("switch", "--quiet", "release/v0.2.0");
  await stage.write({ "CHANGELOG.md": "better words\n" });
  await stage.git("commit", "--quiet", "--all", "--message", "Say it better");
  const edited = await stage.git("rev-parse", "HEAD");
  await stage.git("switch", "--quiet", "main");
  await stage.commit("fix: one more");
  await expect(stage.prep()).rejects.toMatchObject({ code: "RELEASE_BRANCH_TAKEN" });
  expect(await stage.git("rev-parse", "release/v0.2.0")).toBe(edited);
});
