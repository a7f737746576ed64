import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { FinalizeOptions, FinalizeStep } from "../../src/release/index.ts";
import { killedAt, mergedStage, type ReleaseStage, releaseStage, useReleaseStages } from "./stage.ts";

// Each test starts git about a hundred times, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

useReleaseStages();

test("finalize tags the merge of the release, annotated with its changelog, and publishes on request (A24)", async () => {
  await using stage = await mergedStage();
  const landed = await stage.git("rev-parse", "HEAD");
  await stage.commit("Later work");
  expect(await stage.finalize({ dryRun: true })).toMatchObject({ status: "planned", commit: landed });
  expect(await stage.git("tag", "--list", "v0.2.0")).toBe("");
  expect(await stage.finalize()).toMatchObject({
    schema: "afk-triage/release-finalize@1",
    status: "tagged",
    tag: "v0.2.0",
    commit: landed,
    commitsAbove: 1,
    signed: false,
    created: true,
    pushed: false,
  });
  expect(await stage.git("ls-remote", "origin", "refs/tags/v0.2.0")).toBe("");
  const tag = await stage.git("cat-file", "tag", "v0.2.0");
  expect(tag).toContain(`object ${landed}`);
  expect(tag).toContain("### Added\n\n- paint for `@bob`");
  expect(await stage.finalize({ push: true })).toMatchObject({
    status: "published",
    created: false,
    pushed: true,
  });
  expect(await stage.finalize({ push: true })).toMatchObject({
    status: "published",
    created: false,
    pushed: false,
  });
  expect(await stage.git("ls-remote", "origin", "refs/tags/v0.2.0^{}")).toContain(landed);
});

test("finalize fails with RELEASE_NOT_LANDED when the previous release is published and the prepared one is not merged (A24)", async () => {
  await using stage = await mergedStage();
  await stage.finalize({ push: true });
  await stage.commit("Add a thing", { "thing.txt": "new" });
  const { version } = await stage.prep({ wish: { type: "bump", level: "minor" } });
  await expect(stage.finalize({ push: true })).rejects.toMatchObject({
    code: "RELEASE_NOT_LANDED",
    message: expect.stringContaining(`release/v${version} is prepared and not merged`) as string,
  });
  expect(await stage.finalize({ push: true, version: "0.2.0" })).toMatchObject({ status: "published" });
});

test("finalize also finds a release that was merged by squashing (A24)", async () => {
  await using stage = await releaseStage();
  await stage.prep();
  await stage.git("merge", "--quiet", "--squash", "release/v0.2.0");
  const landed = await stage.commit("Release v0.2.0 (#12)");
  await stage.commit("Later work", { "package.json": '{"name":"thing","version":"0.2.0","private":true}\n' });
  expect(await stage.finalize({ push: true })).toMatchObject({ status: "published", commit: landed });
});

test("a first release with the version that package.json had from the start is tagged at the commit that describes it (A24)", async () => {
  await using stage = await releaseStage();
  await stage.git("push", "--quiet", "--delete", "origin", "v0.1.0");
  await stage.git("tag", "--delete", "v0.1.0");
  const manifest = await readFile(join(stage.checkout, "package.json"), "utf8");
  await stage.commit("Begin anew", {
    "package.json": manifest.replace('"version": "0.1.0"', '"version": "0.5.0"'),
  });
  await expect(stage.finalize()).rejects.toMatchObject({ code: "RELEASE_NOT_LANDED" });
  expect(await stage.prep()).toMatchObject({ version: "0.5.0" });
  await stage.merge("0.5.0");
  const landed = await stage.git("rev-parse", "HEAD");
  await stage.commit("Later work", {
    "CHANGELOG.md": `${await readFile(join(stage.checkout, "CHANGELOG.md"), "utf8")}\n`,
  });
  expect(await stage.finalize({ push: true })).toMatchObject({ status: "published", commit: landed });
});

test("finalize reaches the same result when it is killed after any step and run again (A24)", async () => {
  await using undisturbed = await mergedStage();
  await undisturbed.finalize({ push: true });
  await using stage = await mergedStage();
  for (const step of ["locked", "fetched", "planned", "tagged", "pushed"] as const)
    await killedAt<FinalizeStep>(step, (observe) => stage.finalize({ push: true }, observe));
  expect(await stage.finalize({ push: true })).toMatchObject({ status: "published" });
  expect(await stage.state()).toEqual(await undisturbed.state());
});

describe("only the merged release is tagged (A24)", () => {
  const rows: [string, (stage: ReleaseStage) => Promise<unknown>, string, Partial<FinalizeOptions>?][] = [
    [
      "another version than the merged one",
      () => Promise.resolve(),
      "RELEASE_NOT_LANDED",
      { version: "9.9.9" },
    ],
    [
      "a version that was raised by hand, without a changelog section",
      (stage) => stage.commit("Raise", { "package.json": '{"version":"0.3.0"}' }),
      "RELEASE_NOT_LANDED",
    ],
    ["a dirty tree", ({ checkout }) => writeFile(join(checkout, "new"), ""), "RELEASE_TREE_DIRTY"],
    ["the release branch", ({ git }) => git("switch", "release/v0.2.0"), "RELEASE_NOT_ON_DEFAULT_BRANCH"],
    [
      "a merge that exists only locally",
      ({ git }) => git("commit", "--allow-empty", "-m", "x"),
      "RELEASE_OUT_OF_STEP",
    ],
    [
      "the tag on another commit, locally",
      ({ git }) => git("tag", "-a", "v0.2.0", "-m", "x", "HEAD~"),
      "RELEASE_TAG_TAKEN",
    ],
    ["a lightweight tag", ({ git }) => git("tag", "v0.2.0"), "RELEASE_TAG_TAKEN"],
    [
      "the tag on another commit, on the remote",
      async ({ git }) => {
        await git("push", "origin", "HEAD~:refs/tags/v0.2.0");
        await git("fetch", "--tags");
      },
      "RELEASE_TAG_TAKEN",
    ],
  ];
  test.for(rows)("%s", async ([, spoil, code, options]) => {
    await using stage = await mergedStage();
    await spoil(stage);
    const before = await stage.state();
    const failure = stage.finalize({ push: true, ...options });
    await expect(failure).rejects.toMatchObject({ code, remedy: expect.stringMatching(/\w/) });
    expect(await stage.state()).toEqual(before);
  });

  test("finalize refuses a prepared release that is not merged", async () => {
    await using stage = await releaseStage();
    await stage.prep({ push: true });
    const failure = stage.finalize({ push: true, version: "0.2.0" });
    await expect(failure).rejects.toMatchObject({ code: "RELEASE_NOT_LANDED" });
  });
});

test("a tag is signed if git is configured to sign (A24)", async () => {
  await using stage = await mergedStage();
  const program = join(stage.home, "..", "sign.sh");
  // Answers git as gpg does: git checks the status line.
  await writeFile(
    program,
    '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\nprintf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"\n',
    { mode: 0o755 },
  );
  await stage.git("config", "gpg.program", program);
  await stage.git("config", "tag.gpgSign", "true");
  expect(await stage.finalize()).toMatchObject({ status: "tagged", signed: true });
});
