import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BranchFacts,
  planBranch,
  planPrep,
  type PrepFacts,
  type PrepPlan,
  readCommits,
} from "../../src/release/index.ts";

const MANIFEST = '{\n\t"name": "thing",\n\t"version": "1.0.0"\n}\n';
const CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-01-01)\n\n### Added\n\n- All.\n";

function facts(
  texts: Record<string, string>,
  messages = ["fix: `it`"],
  change: Partial<PrepFacts> = {},
): PrepFacts {
  return {
    base: { branch: "main", commit: "b".repeat(40) },
    lastVersion: "1.0.0",
    commits: readCommits(messages.map((message, index) => ({ hash: `${index}abcdef01234`, message }))),
    tags: new Set(["v1.0.0"]),
    texts: new Map(Object.entries({ "package.json": MANIFEST, "CHANGELOG.md": CHANGELOG, ...texts })),
    ...change,
  };
}

function plan(given: PrepFacts, versionFiles: string[] = []): ReturnType<typeof planPrep> {
  return planPrep(given, {
    wish: { type: "choose" },
    versionFiles,
    date: "2026-11-22",
  });
}

function planned(given: PrepFacts, versionFiles: string[] = []): PrepPlan {
  const made = plan(given, versionFiles);
  if (made.type === "refused") throw new Error(made.message);
  return made;
}

function textOf(made: PrepPlan, path: string): string | undefined {
  return made.files.find((file) => file.path === path)?.text;
}

function checkChangelog(given: PrepFacts, expected: string): void {
  expect(textOf(planned(given), "CHANGELOG.md")).toBe(expected);
}

describe("the changelog keeps its format (A23)", () => {
  const released = "## 1.0.0 (2026-01-01)\n\n### Added\n\n- All.\n";
  test("the text under Unreleased becomes the section unchanged", () => {
    const written = "### Fixed\n\n- It is\n  wrapped.\n\n```md\n## no heading\n```";
    checkChangelog(
      facts({ "CHANGELOG.md": `# Changelog\n\nPreamble.\n\n## [Unreleased]\n\n${written}\n\n${released}` }),
      `# Changelog\n\nPreamble.\n\n## Unreleased\n\n## 1.0.1 (2026-11-22)\n\n${written}\n\n${released}`,
    );
  });

  test("commits make the section if nothing is written, oldest first, with types by group", () => {
    checkChangelog(
      facts({}, [
        "Paint the fence",
        "docs: explain",
        "fix: second",
        "perf: faster",
        "fix: first",
        "feat!: new\n\nBREAKING CHANGE: no old",
      ]),
      `# Changelog\n\n## Unreleased\n\n## 2.0.0 (2026-11-22)\n\n### Added\n\n- **Breaking:** new: no old (5abcdef0)\n\n` +
        `### Changed\n\n- faster (3abcdef0)\n- Paint the fence (0abcdef0)\n\n### Fixed\n\n- first (4abcdef0)\n- second (2abcdef0)\n\n${released}`,
    );
  });

  test("commits without a change that users notice lead to a section that says so", () => {
    const made = planned(facts({}, ["docs: explain", "ci: faster"]));
    expect(made.version).toBe("1.0.1");
    expect(made.section).toContain("Nothing that users see");
  });

  test("a missing changelog is created", () => {
    checkChangelog(
      facts({ "CHANGELOG.md": "" }),
      "# Changelog\n\n## Unreleased\n\n## 1.0.1 (2026-11-22)\n\n### Fixed\n\n- `it` (0abcdef0)\n",
    );
  });

  test("a changelog without Unreleased gets it above the newest release", () => {
    checkChangelog(
      facts({ "CHANGELOG.md": `# Log\n\n${released}` }),
      `# Log\n\n## Unreleased\n\n## 1.0.1 (2026-11-22)\n\n### Fixed\n\n- \`it\` (0abcdef0)\n\n${released}`,
    );
  });

  test("prep neither loses nor moves a line of the earlier changelog", () => {
    const body = fc.array(fc.stringMatching(/^[a-z `*<>[\]()-]{1,30}$/), { maxLength: 6 });
    fc.assert(
      fc.property(body, body, body, (preamble, written, older) => {
        const before = [
          "# Changelog",
          "",
          ...preamble,
          "",
          "## Unreleased",
          "",
          ...written,
          "",
          "## 1.0.0",
          "",
          ...older,
        ];
        const made = planned(facts({ "CHANGELOG.md": `${before.join("\n")}\n` }));
        const lines = (textOf(made, "CHANGELOG.md") ?? "").split("\n").map((line) => line.trim());
        const kept = before.map((line) => line.trim()).filter((line) => line !== "");
        expect(lines).toEqual(expect.arrayContaining(kept));
      }),
      { numRuns: 50 },
    );
  });
});

describe("the version is updated wherever it occurs, and nothing else is changed (A23)", () => {
  test("package.json with tabs, npm workspaces of the same version, their dependents, the lock file, version files", () => {
    const made = planned(
      facts({
        "package.json":
          '{\n\t"name": "thing", "version": "1.0.0",\n\t"workspaces": ["libs/*", "./tool"],\n\t"dependencies": {"in-step": "^1.0.0", "other": "1.0.0"}\n}\n',
        "libs/a/package.json": '{"name":"in-step","version":"1.0.0"}',
        "libs/b/package.json": '{"name":"apart","version":"2.0.0","peerDependencies":{"in-step":"~1.0.0"}}',
        "tool/package.json":
          '{"name":"tool","version":"1.0.0","dependencies":{"in-step":"workspace:^1.0.0"}}',
        "elsewhere/package.json": '{"name":"elsewhere","version":"1.0.0"}',
        "package-lock.json":
          '{"version":"1.0.0","packages":{"":{"version":"1.0.0","dependencies":{"in-step":"^1.0.0"}},"libs/a":{"version":"1.0.0"},"node_modules/other":{"version":"1.0.0"}}}',
        "src/v.ts": 'export const V = "1.0.0"; // since "1.0"\n',
      }),
      ["src/v.ts"],
    );
    expect(
      Object.fromEntries(
        made.files.filter(({ path }) => path !== "CHANGELOG.md").map(({ path, text }) => [path, text]),
      ),
    ).toEqual({
      "package.json":
        '{\n\t"name": "thing", "version": "1.0.1",\n\t"workspaces": ["libs/*", "./tool"],\n\t"dependencies": {"in-step": "^1.0.1", "other": "1.0.0"}\n}\n',
      "libs/a/package.json": '{"name":"in-step","version":"1.0.1"}',
      "libs/b/package.json": '{"name":"apart","version":"2.0.0","peerDependencies":{"in-step":"~1.0.1"}}',
      "tool/package.json": '{"name":"tool","version":"1.0.1","dependencies":{"in-step":"workspace:^1.0.1"}}',
      "package-lock.json":
        '{"version":"1.0.1","packages":{"":{"version":"1.0.1","dependencies":{"in-step":"^1.0.1"}},"libs/a":{"version":"1.0.1"},"node_modules/other":{"version":"1.0.0"}}}',
      "src/v.ts": 'export const V = "1.0.1"; // since "1.0"\n',
    });
  });

  test("the commit's message is inert: it closes no issue and mentions nobody", () => {
    const made = planPrep(facts({}, ["feat: it, closes #1"]), {
      wish: { type: "choose" },
      versionFiles: [],
      date: "2026-11-22",
    });
    expect(made).toMatchObject({
      message: "Release v1.1.0\n\n- feature commit `0abcdef0`: it, closes `#1`\n",
    });
  });
});

describe("an impossible plan is refused with a remedy (A23)", () => {
  const rows: [string, PrepFacts, string[], string][] = [
    ["nothing new", facts({}, []), [], "RELEASE_NOTHING_NEW"],
    [
      "only a commit and its revert",
      facts({}, ['Revert "feat: x"\n\nThis reverts commit 1abcdef01234.', "feat: x"]),
      [],
      "RELEASE_NOTHING_NEW",
    ],
    ["a prepared version without its tag", facts({}, ["x"], { tags: new Set() }), [], "RELEASE_UNFINISHED"],
    [
      "a tag on another commit",
      facts({}, ["fix: x"], { tags: new Set(["v1.0.0", "v1.0.1"]) }),
      [],
      "RELEASE_TAG_TAKEN",
    ],
    [
      "a section that exists already",
      facts({ "CHANGELOG.md": `${CHANGELOG}\n## 1.0.1\n\n- a\n` }),
      [],
      "RELEASE_SECTION_TAKEN",
    ],
    ["no package.json", facts({ "package.json": "" }), [], "RELEASE_PACKAGE_UNUSABLE"],
    [
      "a broken npm workspace",
      facts({ "package.json": '{"version":"1.0.0","workspaces":["a"]}', "a/package.json": "{" }),
      [],
      "RELEASE_PACKAGE_UNUSABLE",
    ],
    ["a version file without the version", facts({ "v.ts": "1.0.0" }), ["v.ts"], "RELEASE_PACKAGE_UNUSABLE"],
    [
      "a version file with the version twice",
      facts({ "v.ts": '"1.0.0" "1.0.0"' }),
      ["v.ts"],
      "RELEASE_PACKAGE_UNUSABLE",
    ],
    ["a missing version file", facts({}), ["v.ts"], "RELEASE_PACKAGE_UNUSABLE"],
  ];
  test.for(rows)("%s", ([, given, versionFiles, code]) => {
    const made = plan(given, versionFiles);
    expect(made).toMatchObject({ type: "refused", code });
    expect(made).toHaveProperty("remedy", expect.stringMatching(/\w/));
  });
});

const WANTED = { parent: "base", tree: "tree" };
const exactly = { commit: "mine", parents: ["base"], tree: "tree", isOurs: false };
const other = { commit: "older", parents: ["old-base"], tree: "old-tree", isOurs: false };
const ours = { ...other, isOurs: true };
const foreign = { ...other, commit: "foreign" };

function checkBranch(change: Partial<BranchFacts>, expected: object): void {
  const made = planBranch({
    branch: "release/v1.0.0",
    wanted: WANTED,
    local: null,
    remote: null,
    isInUse: false,
    ...change,
  });
  expect(made).toMatchObject(expected);
}

const taken = { type: "refused", code: "RELEASE_BRANCH_TAKEN" };

describe("the release branch never loses a person's work (A23)", () => {
  const rows: [string, Partial<BranchFacts>, object][] = [
    ["no branch", {}, { type: "write", replaces: null }],
    ["the branch already has this content", { local: exactly }, { type: "keep", commit: "mine" }],
    [
      "the branch and the remote already have this content",
      { local: exactly, remote: exactly },
      { type: "keep", commit: "mine" },
    ],
    ["our branch from an older base", { local: ours }, { type: "write", replaces: "older" }],
    [
      "our branch, pushed, from an older base",
      { local: ours, remote: ours },
      { type: "write", replaces: "older" },
    ],
    ["our branch on the remote only", { remote: ours }, { type: "write", replaces: null }],
    [
      "exactly this on the remote only",
      { remote: { ...exactly, isOurs: true } },
      { type: "take", commit: "mine" },
    ],
    ["another person's branch", { local: other }, taken],
    [
      "our branch with a person's commit on top",
      { local: { commit: "edit", parents: ["older"], tree: "tree", isOurs: false } },
      taken,
    ],
    ["the same content as a merge", { local: { ...exactly, parents: ["base", "side"] } }, taken],
    ["our branch, checked out elsewhere", { local: ours, isInUse: true }, taken],
    ["the same content, checked out elsewhere", { local: exactly, isInUse: true }, { type: "keep" }],
    ["the remote has somebody else's", { local: exactly, remote: foreign }, taken],
    ["the remote has another person's branch, nothing here", { remote: foreign }, taken],
  ];
  test.for(rows)("%s", ([, change, expected]) => checkBranch(change, expected));
});
