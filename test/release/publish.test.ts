import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import {
  gitIn,
  type Npm,
  npmCommand,
  packageProblems,
  type PackedFile,
  type PackedPackage,
  type PublicationFacts,
  publicationProblems,
  publishRelease,
  type PublishStage,
  type PublishSummary,
  readChangelog,
} from "../../src/release/index.ts";
import { mergedStage, type ReleaseStage, useReleaseStages } from "./stage.ts";

// Each test starts git about a hundred times, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

useReleaseStages();

const READY: PublicationFacts = {
  tag: "v1.2.0",
  tagged: { commit: "abc", isAnnotated: true },
  head: "abc",
  changedPaths: [],
  isOnDefaultBranch: true,
  manifest: { name: "thing", version: "1.2.0" },
  changelog: readChangelog("## 1.2.0 (2026-11-22)\n\n- It.\n"),
};

describe("a tag is published only if it is the merged release (A25)", () => {
  const rows: [string, Partial<PublicationFacts>, RegExp | null][] = [
    ["the release", {}, null],
    ["not a release tag", { tag: "latest" }, /not a release tag/],
    ["a tag of another version", { tag: "v1.3.0" }, /package\.json says 1\.2\.0/],
    ["no such tag", { tagged: null }, /remote has no tag/],
    ["a lightweight tag", { tagged: { commit: "abc", isAnnotated: false } }, /lightweight/],
    ["another commit", { head: "def" }, /HEAD is def/],
    ["a side branch", { isOnDefaultBranch: false }, /not on the default branch/],
    ["changed files", { changedPaths: ["a.ts"] }, /files are changed: a\.ts/],
    ["no changelog section", { changelog: readChangelog("") }, /no section/],
    ["a private package", { manifest: { name: "thing", version: "1.2.0", private: true } }, /private/],
  ];
  test.for(rows)("%s", ([, change, expected]) => {
    const problems = publicationProblems({ ...READY, ...change }).join("\n");
    if (expected === null) expect(problems).toBe("");
    else expect(problems).toMatch(expected);
  });
});

describe("the package holds what package.json promises, and nothing else (A25)", () => {
  const manifest = {
    version: "1.2.0",
    bin: { thing: "./dist/thing.js" },
    files: ["dist", "templates/", ".github/action"],
  };
  const whole = [
    "package.json",
    "README.md",
    "LICENSE",
    "dist/thing.js",
    "templates/a.md",
    ".github/action/run.sh",
  ];
  const rows: [string, string[], string[], string | null][] = [
    ["whole", [], [], null],
    ["no binary", ["dist/thing.js"], ["dist/x.js"], "dist/thing.js is missing"],
    ["a workflow that is not promised", [], [".github/workflows/x.yml"], ".github/workflows/x.yml must not"],
    ["an empty folder", ["templates/a.md"], [], "templates is missing"],
    ["no licence", ["LICENSE"], [], "LICENSE is missing"],
    ["a key", [], ["dist/server.pem"], "dist/server.pem must not"],
    ["npm's credentials", [], [".npmrc"], ".npmrc must not"],
    ["variables", [], ["templates/.env.local"], "templates/.env.local must not"],
    ["tests", [], ["test/a.test.ts"], "test/a.test.ts must not"],
    ["a recording", [], ["dist/demo.cast"], "dist/demo.cast must not"],
  ];
  test.for(rows)("%s", ([, without, added, expected]) => {
    const files = [...whole.filter((path) => !without.includes(path)), ...added].map((path): PackedFile => ({
      path,
      sizeBytes: 10,
    }));
    const problems = packageProblems(files, manifest);
    expect(problems).toEqual(expected === null ? [] : [expect.stringContaining(expected)]);
  });

  test("a package with an empty or huge file is refused", () => {
    const files = whole.map((path, index): PackedFile => ({ path, sizeBytes: index === 3 ? 0 : 10 }));
    expect(packageProblems(files, manifest)).toEqual(["dist/thing.js is empty in the package"]);
    const huge = whole.map((path): PackedFile => ({ path, sizeBytes: 20_000_000 }));
    expect(packageProblems(huge, manifest)).toEqual(["the package unpacks to 120000000 bytes"]);
  });
});

const MANIFEST =
  '{"name":"thing","version":"0.2.0","files":["dist"],"bin":"dist/thing.js","scripts":{"prepack":"echo BUILT"}}';

/** Returns a tagged release of a package that npm really packs. */
async function taggedStage(): Promise<ReleaseStage> {
  const stage = await mergedStage();
  await stage.commit("Make it a package", {
    "package.json": MANIFEST,
    "README.md": "Thing\n",
    LICENSE: "Free\n",
    "dist/thing.js": "#!/usr/bin/env node\n",
  });
  await stage.git("tag", "--annotate", "v0.2.0", "--message", "v0.2.0");
  await stage.git("push", "--quiet", "origin", "v0.2.0");
  return stage;
}

/**
 * Returns a fake registry: `sent` lists what was published to it. The real npm packs, but only once, because it is slow to start.
 */
function registry(stage: ReleaseStage, sent: string[] = []): Npm {
  let packed: Promise<PackedPackage> | null = null;
  return {
    pack: (...packing) => (packed ??= npmCommand(stage.env, new AbortController().signal).pack(...packing)),
    published: (name, version) => Promise.resolve(sent.includes(`${name}@${version}`) ? "sha512-x" : null),
    publish: (tarball, { distTag }) => {
      sent.push(`${basename(tarball)} ${distTag}`);
      return Promise.resolve();
    },
  };
}

async function publish(
  stage: ReleaseStage,
  until: PublishStage,
  npm: Npm,
  canProveOrigin = true,
): Promise<PublishSummary> {
  const into = join(stage.home, "packed");
  await mkdir(into, { recursive: true });
  return publishRelease(
    { tag: "v0.2.0", remote: "origin", until, into, repositoryUrl: "git+https://github.com/owner/thing.git" },
    {
      git: gitIn(stage.checkout, { env: stage.env, signal: new AbortController().signal }),
      npm,
      canProveOrigin,
    },
  );
}

test("the Publish Pipeline validates, packs what it validated and publishes that package (A25)", async () => {
  await using stage = await taggedStage();
  const sent: string[] = [];
  const npm = registry(stage, sent);
  expect(await publish(stage, "validate", npm)).toMatchObject({ status: "validated", tarball: null });
  expect(await publish(stage, "package", npm)).toMatchObject({
    schema: "afk-triage/release-publish@1",
    status: "packaged",
    version: "0.2.0",
    tarball: join(stage.home, "packed", "thing-0.2.0.tgz"),
    files: 4,
  });
  expect(sent).toEqual([]);
  expect(await stage.git("status", "--porcelain")).toBe("");
  const tarball = join(stage.home, "packed", "thing-0.2.0.tgz");
  const { stdout } = await execa("tar", [
    "--extract",
    "--to-stdout",
    "--file",
    tarball,
    "package/package.json",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ repository: { url: "git+https://github.com/owner/thing.git" } });
  await expect(publish(stage, "publish", npm, false)).rejects.toMatchObject({
    code: "PROVENANCE_UNAVAILABLE",
  });
  expect(await publish(stage, "publish", npm)).toMatchObject({ status: "published", distTag: "latest" });
  expect(sent).toEqual(["thing-0.2.0.tgz latest"]);
  sent.push("thing@0.2.0");
  expect(await publish(stage, "publish", npm)).toMatchObject({ status: "already-published" });
});

test("the pipeline packs only a checkout of the tag, and publishes only a complete package (A25)", async () => {
  await using stage = await taggedStage();
  const npm = registry(stage);
  await stage.commit("Later work");
  await expect(publish(stage, "publish", npm)).rejects.toMatchObject({
    code: "PUBLISH_REFUSED",
    message: expect.stringContaining("HEAD is"),
  });
  await stage.git("switch", "--quiet", "--detach", "v0.2.0");
  const holed: Npm = {
    ...npm,
    pack: () =>
      Promise.resolve({ tarball: "x.tgz", integrity: "x", files: [{ path: "package.json", sizeBytes: 1 }] }),
  };
  await expect(publish(stage, "publish", holed)).rejects.toMatchObject({
    code: "PUBLISH_REFUSED",
    message: expect.stringContaining("dist/thing.js is missing from the package"),
  });
});
