import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { ROOT } from "./dependency-tree.ts";
import { filesWithSecrets, packageProblems } from "./package-contents.ts";

/** The list includes untracked files that are not ignored, which are about to be tracked; a clean clone has none. */
const LISTED = ["ls-files", "--cached", "--others", "--exclude-standard"];
const TRACKED = (await execa("git", LISTED, { cwd: ROOT })).stdout.split("\n");

const PAGES = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
const DATA_FOLDERS = [".github/actions", "coder", "skills", "templates"];
/** Examples of files that must not be published. */
const DECOYS = ["src/cli/afk-triage.ts", "test/architecture.test.ts", ".ci/run", ".github/workflows/ci.yml"];

test("the package contains exactly its data and its pages (S20)", async () => {
  // This test omits dist, which needs a build and takes time to pack; `npm run test:package` checks the whole package.
  await using directory = await temporaryDirectory();
  for (const path of [...DATA_FOLDERS, ...PAGES, ...DECOYS])
    await cp(join(ROOT, path), join(directory.path, path), { recursive: true });
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await execa("npm", argv, { cwd: directory.path });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  const files = (packed?.files ?? []).map(({ path }) => path);
  expect(packageProblems(files, TRACKED, false)).toEqual([]);
  expect(filesWithSecrets(directory.path, files)).toEqual([]);
});

const DATA = TRACKED.filter((path) => /^(?:\.github\/actions|coder|skills|templates)\//.test(path));
const PROGRAMS = ["afk-triage", "agent-tty", "cleaning-program", "coder-terminal"].map(
  (name) => `dist/${name}.js`,
);
const BINS = [
  "bin/afk-triage",
  "bin/afk-triage-load",
  "bin/agent-tty",
  "bin/agent-tty-load",
  "afk-triage-main",
  "agent-tty-client",
  "agent-tty-host",
].map((name) => `dist/${name}.cjs`);
const GOOD = [
  ...DATA,
  ...PAGES,
  ...PROGRAMS,
  ...BINS,
  "dist/man/afk-triage.1",
  "dist/fonts/DejaVuSansMono.ttf",
  "dist/chunk-ABC123.cjs",
  "dist/board/board.js.br",
];

test.each<[string, (files: string[]) => string[], string]>([
  ["a source", (files) => [...files, "src/cli/afk-triage.ts"], "src/cli/afk-triage.ts does not belong"],
  ["a test", (files) => [...files, "test/x.test.ts"], "test/x.test.ts does not belong"],
  ["a stray file among the templates", (files) => [...files, "templates/notes.txt"], "does not belong"],
  ["a source in dist", (files) => [...files, "dist/afk-triage.ts"], "is no part of dist"],
  ["a source map", (files) => [...files, "dist/afk-triage.js.map"], "must never be published"],
  ["an environment file", (files) => [...files, "coder/.env"], "must never be published"],
  ["a key", (files) => [...files, "coder/docker/app.pem"], "must never be published"],
  [
    "no Coder workspace template",
    (files) => files.filter((path) => path !== "coder/docker/main.tf"),
    "main.tf is missing",
  ],
  ["no skill", (files) => files.filter((path) => !path.startsWith("skills/")), "SKILL.md is missing"],
  [
    "no program",
    (files) => files.filter((path) => path !== "dist/agent-tty.js"),
    "dist/agent-tty.js is missing",
  ],
])("a package with %s is reported (S20)", (_, change, says) => {
  expect(packageProblems(GOOD, TRACKED, true)).toEqual([]);
  expect(packageProblems(change([...GOOD]), TRACKED, true).join("\n")).toContain(says);
});

test.each<[string, string[]]>([
  ["a token of GitHub", ["ghp_", "a1B2".repeat(9)]],
  ["a token of npm", ["npm_", "a1B2".repeat(9)]],
  ["a private key", ["-----BEGIN RSA PRIVATE ", "KEY-----\n", "MIIE".repeat(20)]],
])("%s in a file of the package is reported (S20)", async (_, parts) => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, "a.md"), `secret: ${parts.join("")}`);
  await writeFile(join(directory.path, "b.md"), "no secret");
  expect(filesWithSecrets(directory.path, ["a.md", "b.md"])).toEqual(["a.md"]);
});
