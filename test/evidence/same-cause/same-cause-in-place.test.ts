import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { type Claim, type SameCause, sameCauseInPlace } from "../../../src/evidence/index.ts";
import { localSearchShell } from "../../support/local-search-shell.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const CONTROLS = join(import.meta.dirname, "../../../templates/controls");

/** Returns a script that prints the product's answer if it is not the wanted one. */
function claimOf(call: string, wanted: string): Claim {
  const script = `#!/bin/sh\nexec node -e 'const p = require("./index.js"); const got = ${call}; if (got !== ${wanted}) { console.log("got " + got); process.exit(3); }'\n`;
  return { script, expect: { exitCode: 3, outputContains: "got " } };
}

const filler = Array.from({ length: 30 }, (_, index) => `exports.other${index} = () => ${index};`).join("\n");
const source = (trim: string, repeat: string): string =>
  `exports.trim = (text) => ${trim};\n${filler}\nexports.repeat = (text, count) => ${repeat};\n`;
const WRONG_TRIM = "text.trimEnd()";
const RIGHT_TRIM = "text.trim()";
const WRONG_REPEAT = "text + text";
const RIGHT_REPEAT = "text.repeat(count)";

async function decide(
  versions: readonly string[],
  first: Claim,
  second: Claim,
  { badVersion = 1, file = "index.js" } = {},
): Promise<SameCause> {
  await using directory = await temporaryDirectory();
  await using shell = await localSearchShell(directory.path, { budgetMs: 120_000 });
  const commits = await makeRepository(join(shell.directory, "pristine"), file, versions);
  const bad = commits[badVersion - 1] ?? "";
  return await sameCauseInPlace(
    {
      first: { claim: first, bad, range: null },
      second: { claim: second, bad, range: null },
      setup: [],
      timeoutMs: 10_000,
      budgetMs: 120_000,
      adapters: {
        javascript: await readFile(join(CONTROLS, "javascript.cjs"), "utf8"),
        python: await readFile(join(CONTROLS, "python.py"), "utf8"),
      },
    },
    shell,
  );
}

async function makeRepository(
  directory: string,
  file: string,
  versions: readonly string[],
): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const git = async (...args: string[]): Promise<string> =>
    (
      await execa("git", ["-c", "user.name=a", "-c", "user.email=a@example.test", ...args], {
        cwd: directory,
      })
    ).stdout;
  await git("init", "-q", "-b", "main");
  const commits: string[] = [];
  for (const [index, text] of versions.entries()) {
    await writeFile(
      join(directory, "package.json"),
      `{"name":"product","private":true,"version":"1.${index}.0"}`,
    );
    await writeFile(join(directory, file), text);
    await git("add", "--all");
    await git("commit", "-q", "-m", `version 1.${index}.0`);
    await git("tag", `v1.${index}.0`);
    commits.push(await git("rev-parse", "HEAD"));
  }
  return commits;
}

const BOTH_FIXED = [source(WRONG_TRIM, WRONG_REPEAT), source(RIGHT_TRIM, RIGHT_REPEAT)];
const APART_FIXED = [
  source(WRONG_TRIM, WRONG_REPEAT),
  source(RIGHT_TRIM, WRONG_REPEAT),
  source(RIGHT_TRIM, RIGHT_REPEAT),
];
const trimmed = claimOf('p.trim(" a")', '"a"');

test("scripts that get the same wrong answer to the same call are proven to have one cause (D5)", async () => {
  const other = { ...claimOf('p.trim(" a")', '"a"'), expect: { exitCode: 3, outputContains: "got  a" } };
  expect(await decide(BOTH_FIXED, trimmed, other)).toMatchObject({
    type: "proven",
    change: { kind: "first-fixed" },
    tie: { type: "calls", call: expect.stringContaining("trim") },
  });
}, 60_000);

test("scripts with different inputs are proven to have one cause by the part of a large fix that fixes both (D5)", async () => {
  const other = claimOf('p.trim("\\tb c")', '"b c"');
  expect(await decide(BOTH_FIXED, trimmed, other)).toMatchObject({
    type: "proven",
    tie: { type: "part", lines: 2 },
  });
}, 60_000);

test("bugs that one commit fixes in two places are not called duplicates (D5)", async () => {
  const other = claimOf('p.repeat("a", 3)', '"aaa"');
  expect((await decide(BOTH_FIXED, trimmed, other)).type).toBe("undecided");
}, 60_000);

test("bugs that are fixed by different commits have different causes (D5)", async () => {
  const other = claimOf('p.repeat("a", 3)', '"aaa"');
  expect((await decide(APART_FIXED, trimmed, other)).type).toBe("different");
}, 60_000);

test("open bugs that one commit introduced are proven by the change that affects both (D5)", async () => {
  const versions = [source(RIGHT_TRIM, RIGHT_REPEAT), source(WRONG_TRIM, WRONG_REPEAT)];
  const same = await decide(versions, trimmed, claimOf('p.trim(" x")', '"x"'), { badVersion: 2 });
  expect(same).toMatchObject({ type: "proven", change: { kind: "first-bad" } });
}, 60_000);

describe("a product in Python", () => {
  const python = (trim: string, repeat: string): string =>
    `def trim(text, *, side="both"):\n    return ${trim}\n\n${pythonFiller}\n\ndef repeat(text, count):\n    return ${repeat}\n\n\nclass Words:\n    def __init__(self, text):\n        self.text = text\n\n    def first(self):\n        return trim(self.text).split(" ")[0]\n`;
  const pythonFiller = Array.from(
    { length: 30 },
    (_, index) => `def other${index}():\n    return ${index}\n\n`,
  ).join("\n");
  const bothFixed = [python("text.rstrip()", "text + text"), python("text.strip()", "text * count")];
  const pythonClaim = (call: string, wanted: string): Claim => ({
    script: `#!/bin/sh\nexec python3 -B -c 'import product as p\ngot = ${call}\nif got != ${wanted}:\n    print("got", got)\n    raise SystemExit(3)'\n`,
    expect: { exitCode: 3, outputContains: "got " },
  });
  const decidePython = (first: Claim, second: Claim): Promise<SameCause> =>
    decide(bothFixed, first, second, { file: "product.py" });
  const trim = pythonClaim('p.trim(" a")', '"a"');

  test("scripts that get the same wrong answer to the same call are proven to have one cause (D5)", async () => {
    const named = pythonClaim('p.trim(text=" a")', '"a"');
    expect(await decidePython(trim, named)).toMatchObject({
      type: "proven",
      tie: { type: "calls", call: expect.stringContaining("product.trim") },
    });
  }, 120_000);

  test("calls of one method on objects in different states do not indicate one cause (D5)", async () => {
    const first = pythonClaim('p.Words(" a b").first()', '"a"');
    const second = pythonClaim('p.Words(" c d").first()', '"c"');
    expect(await decidePython(first, second)).toMatchObject({ tie: { type: "part" } });
  }, 120_000);
});
