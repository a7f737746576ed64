import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  chooseVersion,
  planPrep,
  readChangelog,
  readCommits,
  type VersionWish,
} from "../../src/release/index.ts";

interface Row {
  packageVersion?: string;
  last?: string | null;
  messages?: string[];
  changelog?: string;
  wish?: VersionWish;
}

function choose(row: Row): string {
  const { packageVersion = "1.4.2", last = "1.4.2", messages = [], changelog = "", wish } = row;
  const chosen = chooseVersion(
    {
      packageVersion,
      lastVersion: last,
      commits: readCommits(messages.map((message, index) => ({ hash: String(index).repeat(8), message }))),
      changelog: readChangelog(changelog),
    },
    wish ?? { type: "choose" },
  );
  return chosen.type === "refused" ? chosen.code : chosen.version;
}

const bump = (level: "major" | "minor" | "patch"): VersionWish => ({ type: "bump", level });
const exact = (version: string): VersionWish => ({ type: "exact", version });
const unreleased = (heading: string): string => `# Changelog\n\n## Unreleased\n\n### ${heading}\n\n- It.\n`;

describe("the next version follows from commits and changelog (A23)", () => {
  const rows: [string, Row, string][] = [
    ["a fix", { messages: ["fix: it"] }, "1.4.3"],
    ["a plain sentence", { messages: ["Paint the fence"] }, "1.4.3"],
    ["an unknown type counts as a plain sentence", { messages: ["board: paint it"] }, "1.4.3"],
    ["a feature", { messages: ["fix: it", "feat(cli): that"] }, "1.5.0"],
    ["an exclamation mark", { messages: ["feat: that", "fix!: it"] }, "2.0.0"],
    ["an exclamation mark after a scope", { messages: ["fix(api)!: it"] }, "2.0.0"],
    ["a BREAKING CHANGE footer", { messages: ["fix: it\n\nBody.\n\nBREAKING CHANGE: gone"] }, "2.0.0"],
    ["a footer below a plain sentence", { messages: ["Drop it\n\nBREAKING CHANGE: gone"] }, "2.0.0"],
    [
      "a feature that was reverted",
      { messages: ['Revert "feat: x"\n\nThis reverts commit 11111111.', "feat: x", "fix: y"] },
      "1.4.3",
    ],
    ["entries under Added", { messages: ["Paint"], changelog: unreleased("Added") }, "1.5.0"],
    ["entries under Removed", { messages: ["Paint"], changelog: unreleased("Removed") }, "2.0.0"],
    ["entries under Fixed", { messages: ["Paint"], changelog: unreleased("Fixed") }, "1.4.3"],
    [
      "an empty group has no effect",
      { messages: ["x"], changelog: "## Unreleased\n\n### Added\n\n## 1.4.2\n\n### Removed\n\n- a\n" },
      "1.4.3",
    ],
    ["below 1.0.0, breaking", { packageVersion: "0.4.2", last: "0.4.2", messages: ["feat!: it"] }, "0.5.0"],
    ["below 1.0.0, a feature", { packageVersion: "0.4.2", last: "0.4.2", messages: ["feat: it"] }, "0.5.0"],
    ["below 1.0.0, a fix", { packageVersion: "0.4.2", last: "0.4.2", messages: ["fix: it"] }, "0.4.3"],
    [
      "after a pre-release, its release",
      { packageVersion: "2.0.0-rc.1", last: "2.0.0-rc.1", messages: ["fix: it"] },
      "2.0.0",
    ],
    [
      "the first release has the version of package.json",
      { packageVersion: "0.1.0", last: null, messages: ["x"] },
      "0.1.0",
    ],
    ["the first release of 0.0.0", { packageVersion: "0.0.0", last: null, messages: ["x"] }, "0.1.0"],
    ["package.json was raised by hand", { packageVersion: "3.0.0", messages: ["fix: it"] }, "3.0.0"],
    ["package.json lags behind the tag", { packageVersion: "1.0.0", messages: ["fix: it"] }, "1.4.3"],
  ];
  test.for(rows)("%s", ([, row, expected]) => {
    expect(choose(row)).toBe(expected);
  });
});

describe("the user's wish takes precedence over commits and changelog (A23)", () => {
  const rows: [string, Row, string][] = [
    ["--bump patch over a feature", { messages: ["feat: it"], wish: bump("patch") }, "1.4.3"],
    [
      "--bump major below 1.0.0 is taken literally",
      { packageVersion: "0.4.2", last: "0.4.2", wish: bump("major") },
      "1.0.0",
    ],
    ["--version", { wish: exact("7.0.0-beta.1") }, "7.0.0-beta.1"],
    ["--version with a released version", { wish: exact("1.4.2") }, "RELEASE_VERSION_REFUSED"],
    ["--version below the last release", { wish: exact("1.4.1") }, "RELEASE_VERSION_REFUSED"],
    ["an invalid --version", { wish: exact("1.05.0") }, "RELEASE_VERSION_REFUSED"],
    [
      "package.json without a version",
      { packageVersion: "", wish: bump("patch") },
      "RELEASE_PACKAGE_UNUSABLE",
    ],
  ];
  test.for(rows)("%s", ([, row, expected]) => {
    expect(choose(row)).toBe(expected);
  });
});

test("the choice has reasons, limited in number (A23)", () => {
  const messages = Array.from({ length: 9 }, (_, index) => `feat: number ${index}`);
  const chosen = chooseVersion(
    {
      packageVersion: "1.0.0",
      lastVersion: "1.0.0",
      commits: readCommits(messages.map((message, index) => ({ hash: String(index).repeat(8), message }))),
      changelog: readChangelog(""),
    },
    { type: "choose" },
  );
  expect(chosen).toEqual({
    type: "chosen",
    version: "1.1.0",
    reasons: [
      ...[0, 1, 2, 3, 4].map((index) => `feature commit ${String(index).repeat(8)}: number ${index}`),
      "and 4 more",
    ],
  });
});

const ROOT = join(import.meta.dirname, "../..");
const text = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

/** The lock file is omitted: it is long, and tested with short ones. */
const PATHS = ["package.json", "src/agent-tty/package.json", "src/cli/version.ts", "CHANGELOG.md"];

test("this repository has one version, and prep finds every place where it occurs (A23)", async () => {
  const texts = new Map(await Promise.all(PATHS.map(async (path) => [path, await text(path)] as const)));
  const config = parse(await text(".github/afk-triage.yml")) as { release: { versionFiles: string[] } };
  const { version } = JSON.parse(texts.get("package.json") ?? "") as { version: string };
  const plan = planPrep(
    {
      base: { branch: "main", commit: "0".repeat(40) },
      lastVersion: null,
      commits: [{ hash: "1".repeat(40), subject: "Work", type: null, isBreaking: false, breakingNote: "" }],
      tags: new Set([`v${version}`]),
      texts,
    },
    {
      wish: { type: "exact", version: "999.0.0" },
      versionFiles: config.release.versionFiles,
      date: "2026-11-22",
    },
  );
  if (plan.type === "refused") throw new Error(plan.message);
  expect(plan.files.map(({ path }) => path)).toEqual(PATHS);
  for (const { path, text: written } of plan.files.slice(0, 3))
    expect([path, written]).toEqual([path, expect.stringContaining('"999.0.0"')]);
});
