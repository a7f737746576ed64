import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import type { IssueText } from "../../src/duplicates/index.ts";
import { openProgramHome } from "../../src/home/index.ts";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TRACE = "TypeError: x is undefined\n    at readFile (index.js:3)";

function issue(number: number, title: string): IssueText {
  return { number, title, body: TRACE, createdMs: number * 1_000, state: "open", reporter: number };
}

async function fill(directory: string): Promise<void> {
  using home = await openProgramHome(directory, { clock: systemClock, ids: systemIds(systemClock) });
  const index = await home.duplicates.of("octo/widgets");
  index.put(
    [
      issue(1, "Crash on an empty file"),
      issue(2, "Dark theme"),
      issue(3, "An empty file makes it crash\u001b[2J"),
      issue(4, "slugify() throws in console.log"),
      issue(5, "console.log of slugify is empty"),
    ],
    "2026-01-01T00:00:00Z",
  );
  home.store.linkDuplicates({
    repo: "octo/widgets",
    first: 1,
    second: 3,
    kind: "proven",
    runId: "20260101T000000Z",
    reporters: { 1: 1, 3: 3 },
    evidenced: [],
    titles: { 1: "Crash on an empty file", 3: "An empty file makes it crash" },
    reasons: [],
  });
}

async function run(...args: string[]) {
  await using home = await temporaryDirectory();
  await fill(home.path);
  const place = { cwd: home.path, env: { PATH: process.env["PATH"] ?? "" } };
  return await runInProcess(["duplicates", ...args, "--repo", "octo/widgets", "--home", home.path], place);
}

test("duplicates shows the candidates of an issue with what they have in common, and makes no request to GitHub (D1, D2)", async () => {
  const { exitCode, stdout, stderr } = await run("3");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "afk-triage/duplicates@1",
    index: { issues: 5, upTo: "2026-01-01T00:00:00Z", fed: null },
    candidates: [
      { number: 1, why: { frames: ["readFile"], words: expect.arrayContaining(["crash"]) as string[] } },
      { number: 2 },
    ],
    duplicateOf: { canonical: 1, kind: "proven" },
  });
  expect(stderr).toContain("is a duplicate of #1: behaviour shows one cause");
  expect(stderr).toContain("Possible duplicates, most likely first:\n  #1  open  Crash on an empty file");
  expect(stderr).not.toContain("\u001b");
});

test("duplicates prints shared words as the titles spell them, not stemmed (D2)", async () => {
  const { stdout } = await run("5");
  const { candidates } = JSON.parse(stdout) as { candidates: { number: number; why: { words: string[] } }[] };
  const { words = [] } = candidates.find(({ number }) => number === 4)?.why ?? {};
  expect(words).toEqual(expect.arrayContaining(["slugify", "console.log"]));
  expect(words.filter((word) => /=|slugifi/.test(word))).toEqual([]);
});

test("duplicates without a number shows the clusters and how many people reported each (D6)", async () => {
  const { stdout, stderr } = await run();
  expect(JSON.parse(stdout)).toMatchObject({ clusters: [{ canonical: 1, proven: [3], reporters: 2 }] });
  expect(stderr).toContain("#1  Crash on an empty file  (2 reporters)\n  #3  is a duplicate");
});

test("duplicates for an issue that is not indexed says how to index it (D1)", async () => {
  const { exitCode, stderr } = await run("99");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("afk-triage duplicates --update --repo octo/widgets");
});

test("duplicates puts the states and titles of the candidates below one another (D2)", async () => {
  await using home = await temporaryDirectory();
  {
    using opened = await openProgramHome(home.path, { clock: systemClock, ids: systemIds(systemClock) });
    const index = await opened.duplicates.of("octo/widgets");
    const closed = { ...issue(9, "Crash on a file"), state: "closed" } as const;
    index.put([closed, issue(10, "Crash on a folder"), issue(11, "Crash")], "2026-01-01T00:00:00Z");
  }
  const place = { cwd: home.path, env: { PATH: process.env["PATH"] ?? "" } };
  const args = ["duplicates", "11", "--repo", "octo/widgets", "--home", home.path];
  const { stderr } = await runInProcess(args, place);
  expect(stderr).toContain("  #9   closed  Crash on a file\n");
  expect(stderr).toContain("  #10  open    Crash on a folder\n");
});

test("duplicates on an empty index names the command that fills it (D1)", async () => {
  await using home = await temporaryDirectory();
  {
    using opened = await openProgramHome(home.path, { clock: systemClock, ids: systemIds(systemClock) });
    await opened.duplicates.of("octo/widgets");
  }
  const place = { cwd: home.path, env: { PATH: process.env["PATH"] ?? "" } };
  const args = ["duplicates", "--repo", "octo/widgets", "--home", home.path];
  const { exitCode, stderr } = await runInProcess(args, place);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "No issue of octo/widgets is indexed yet. Run `afk-triage duplicates --update --repo octo/widgets`",
  );
});
