import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import {
  type AlreadyFixed,
  alreadyFixed,
  type EvidenceSummary,
  observeScript,
  type Range,
  rangeInPlace,
} from "../../../src/evidence/index.ts";
import { planCheckout } from "../../../src/triage/batch/session/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { CLAIM, type Commit, inPlace, makeRepository, SCRIPT } from "./answers-in-place.ts";

const SETTINGS = { setup: ["touch set-up"], timeoutMs: 10_000 };
const budgetMs = 60_000;

/** Searches the range from the newest commit. */
async function rangeOf(
  commits: readonly Commit[],
  bad = "HEAD",
  script = SCRIPT,
  place: (pristine: string) => Promise<void> = (pristine) => makeRepository(pristine, commits),
): Promise<Range> {
  return inPlace(place, async (shell, commit) =>
    rangeInPlace(
      { bad: await commit(bad), head: null, claim: { ...CLAIM, script }, budgetMs, ...SETTINGS },
      shell,
    ),
  );
}

const GRADE: EvidenceSummary = {
  verdict: "verified",
  runs: "2/2",
  controls: "0/4",
  place: "fresh",
  firstBad: null,
  firstFixed: null,
  test: null,
};

/**
 * Searches for the bug on version 1.0.0, which the report names and on which the pipeline makes `runs`, and on the newest commit.
 */
async function fixedSince(commits: readonly Commit[], runs: number | null): Promise<AlreadyFixed | null> {
  return inPlace(
    (pristine) => makeRepository(pristine, commits),
    async (shell, commit) => {
      const asked = { texts: ["Version: 1.0.0"], productNames: ["answers"], budgetMs: () => budgetMs };
      const reported = await commit("v1.0.0^{}");
      const seen = runs === null ? null : { runs, grade: GRADE };
      const verifyOn = (on: string): Promise<typeof seen> => Promise.resolve(on === reported ? seen : null);
      const request = { head: await commit("HEAD"), claim: CLAIM, ...asked, ...SETTINGS };
      return alreadyFixed(request, { ...shell, verifyOn });
    },
  );
}

/** Whether this machine permits a process to have its own mount namespace. */
const hasNamespaces = spawnSync("unshare", ["--mount", "true"]).status === 0;

describe("the range search in a place", () => {
  test.skipIf(!hasNamespaces)(
    "files that a run leaves in shared folders are removed before the run of another version, as in a verification (V9)",
    async () => {
      const state = `/dev/shm/afk-triage-test-${randomUUID()}`;
      const script = SCRIPT.replace("\n", `\n[ ! -e ${state} ] || exit 7\ntouch ${state}\n`);
      const commits = [
        { answer: "right", tag: "v1.0.0" },
        { answer: "wrong", tag: "v1.1.0" },
      ];
      const range = await rangeOf(commits, "HEAD", script);
      expect(range).toMatchObject({ firstBad: { type: "exact", at: { version: "1.1.0" } } });
      expect(existsSync(state)).toBe(false);
    },
  );

  test("the search runs tags and commits of a real repository and returns both ends (V4)", async () => {
    const range = await rangeOf(
      [
        { answer: "right", tag: "v1.0.0" },
        { answer: "wrong 1" },
        { answer: "wrong 2", tag: "v1.1.0" },
        { answer: "right", tag: "v1.2.0" },
      ],
      "v1.1.0^{}",
    );
    expect(range).toMatchObject({
      firstBad: { type: "exact", at: { version: "1.1.0", commit: expect.stringMatching(/^[0-9a-f]{40}$/) } },
      firstFixed: { type: "exact", at: { version: "1.2.0" } },
      flips: 2,
      notes: [],
    });
  });

  test("the search reads the tags, the depth and the manifests of its checkout over one connection each (V4)", async () => {
    const commits = [
      { answer: "right", tag: "v1.0.0" },
      { answer: "wrong", tag: "v1.1.0" },
    ];
    const asked: string[] = [];
    const range = await inPlace(
      (pristine) => makeRepository(pristine, commits),
      async (shell, commit) => {
        const exec: typeof shell.workspace.exec = (commandLine, options) => {
          asked.push(commandLine);
          return shell.workspace.exec(commandLine, options);
        };
        const workspace = Object.assign(Object.create(shell.workspace) as typeof shell.workspace, { exec });
        const request = { bad: await commit("HEAD"), head: null, claim: CLAIM, budgetMs, ...SETTINGS };
        return rangeInPlace(request, { ...shell, workspace });
      },
    );
    expect(range).toMatchObject({ firstBad: { at: { version: "1.1.0" } } });
    for (const fact of ["show-ref", "is-shallow-repository", "Cargo.toml"])
      expect(asked.filter((line) => line.includes(fact))).toHaveLength(1);
  });

  test("a run cannot replace its output with another file (V1, V4)", async () => {
    const script = SCRIPT.replace(
      "\n",
      "\nif grep -q linked answer; then echo 'got wrong' >../other; rm -f ../output; ln -s other ../output; exit 3; fi\n",
    );
    const commits = [
      { answer: "right", tag: "v1.0.0" },
      { answer: "linked", tag: "v1.1.0" },
      { answer: "wrong", tag: "v1.2.0" },
    ];
    const { firstBad } = await rangeOf(commits, "HEAD", script);
    expect(firstBad).toMatchObject({ type: "interval", upTo: { version: "1.2.0" } });
  });

  test("the search fetches the history that a shallow clone lacks, and the contents of the commits that it runs (V4)", async () => {
    await using directory = await temporaryDirectory();
    const origin = join(directory.path, "origin");
    const commits = [
      { answer: "right", tag: "v1.0.0" },
      { answer: "wrong 1" },
      { answer: "wrong 2", tag: "v1.1.0" },
    ];
    await makeRepository(origin, commits);
    await execa("git", ["-C", origin, "config", "uploadpack.allowFilter", "true"]);
    await execa("git", ["-C", origin, "config", "uploadpack.allowAnySHA1InWant", "true"]);
    const settings = { url: null, ref: null, strategy: "shallow", setup: [] } as const;
    const range = await rangeOf(commits, "HEAD", SCRIPT, async (pristine) => {
      const [step] = planCheckout({ cloneFrom: origin, settings }, pristine);
      await execa("bash", ["-c", step?.commandLine ?? "false"]);
      const { stdout } = await execa("git", ["-C", pristine, "rev-list", "--count", "HEAD"]);
      expect(stdout).toBe("1");
    });
    expect(range).toMatchObject({
      firstBad: { type: "exact", at: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) } },
      notes: [],
    });
  });

  test("in a repository with several packages, the search runs only the tags of the package that the manifest names (V4)", async () => {
    const manifest = '{"name":"@scope/core","private":true}';
    for (const tagOf of [(version: string) => `core@${version}`, (version: string) => `core-v${version}`]) {
      const range = await rangeOf([
        { answer: "right", tag: tagOf("1.0.0"), manifest },
        { answer: "right 2", tag: "plugin@7.0.0", manifest },
        { answer: "wrong", tag: tagOf("1.1.0"), manifest },
        { answer: "wrong 2", tag: "plugin@7.1.0", manifest },
        { answer: "wrong 3", tag: "plugin@7.2.0", manifest },
      ]);
      expect(range).toMatchObject({ firstBad: { type: "exact", at: { version: "1.1.0" } }, notes: [] });
    }
  });

  test("the search runs the tags of the package that the script names if the root's manifest names none (V4)", async () => {
    const manifest = '{"private":true,"workspaces":["packages/*"]}';
    const files = {
      "packages/core/package.json": '{"name":"@scope/core"}',
      "packages/plugin/package.json": '{\n  "name": "@scope/plugin"\n}',
    };
    const range = await rangeOf(
      [
        { answer: "right", tag: "@scope/core@1.0.0", manifest, files },
        { answer: "wrong", tag: "@scope/core@1.1.0", manifest },
        { answer: "wrong 2", tag: "@scope/plugin@7.1.0", manifest },
        { answer: "wrong 3", tag: "@scope/plugin@7.2.0", manifest },
        { answer: "wrong 4", tag: "@scope/plugin@7.3.0", manifest },
      ],
      "HEAD",
      `${SCRIPT}# cd packages/core\n`,
    );
    expect(range).toMatchObject({ firstBad: { type: "exact", at: { version: "1.1.0" } }, notes: [] });
  });

  test("a version on which the script fails in another way is skipped and named (V4)", async () => {
    const range = await rangeOf([
      { answer: null, tag: "v0.9.0" },
      { answer: "wrong", tag: "v1.0.0" },
    ]);
    expect(range.firstBad).toMatchObject({ type: "initial", at: { version: "1.0.0" } });
    expect(range.notes.join(" ")).toContain(
      "Not tested: 0.9.0. The script ended with exit code 7 and without the reported text.",
    );
  });

  test("a version that fails with the claimed exit code, but in another way, is skipped and named (V4)", async () => {
    const script =
      "#!/bin/sh\n[ -f lid ] || { echo 'Error: no lid'; exit 1; }\ncat answer\ngrep -q right answer\n";
    const commits = [
      { answer: "right", tag: "v1.0.0" },
      { answer: "AssertionError: 1 is not 4", tag: "v1.1.0", files: { lid: "" } },
      { answer: "AssertionError: 2 is not 4", tag: "v1.2.0" },
    ];
    const range = await inPlace(
      (pristine) => makeRepository(pristine, commits),
      async (shell, commit) => {
        const claim = { script, expect: { exitCode: 1, outputContains: null } };
        return rangeInPlace({ bad: await commit("HEAD"), head: null, claim, budgetMs, ...SETTINGS }, shell);
      },
    );
    expect(range.firstBad).toMatchObject({ type: "initial", at: { version: "1.1.0" } });
    expect(range.notes.join(" ")).toContain("Not tested: 1.0.0. The script fails there with the exit code");
  });

  test("without a connection the search reports that registry versions were left out (V4)", async () => {
    const range = await rangeOf([
      { answer: "wrong", manifest: '{"name":"left-pad-of-ours","version":"1.0.0"}' },
    ]);
    expect(range.notes).toEqual([
      "Versions that only the registry has were left out: the npm registry was asked for left-pad-of-ours without success.",
    ]);
  });

  test("the search does not start if the script no longer shows the bug where it was seen (V4)", async () => {
    const range = await rangeOf([{ answer: "right", tag: "v1.0.0" }]);
    expect(range.firstBad).toMatchObject({
      type: "unknown",
      reason: expect.stringContaining("did not show the bug again"),
    });
  });
});

describe("a bug that the reported version has and the newest commit does not", () => {
  const commits: readonly Commit[] = [{ answer: "wrong", tag: "v1.0.0" }, { answer: "right" }];

  test("the bug is fixed if the pipeline verifies it on the reported version (V5)", async () => {
    const fixed = await fixedSince(commits, 2);
    expect(fixed).toMatchObject({ version: "1.0.0", runs: 2, range: { firstFixed: { type: "exact" } } });
  });

  test("the bug is not called fixed if the pipeline does not verify it on the reported version (V5)", async () => {
    expect(await fixedSince(commits, null)).toBeNull();
  });
});

test("a run that could not take place states the reason (V3, W2)", async () => {
  const commits: Commit[] = [
    { answer: "wrong", tag: "v1.0.0" },
    { answer: "right", files: { "built.js": "" } },
  ];
  const request = { script: SCRIPT, setup: ["[ -f built.js ]"], timeoutMs: 10_000 };
  const observed = await inPlace(
    (pristine) => makeRepository(pristine, commits),
    (shell) => observeScript({ ...request, texts: ["Version: 1.0.0"], productNames: ["answers"] }, shell),
  );
  expect(observed).toEqual([
    { version: "1.0.0", exitCode: null, reason: "checkout.setup fails there.", output: "" },
    { version: null, exitCode: 0, reason: null, output: "" },
  ]);
});
