import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import lzString from "lz-string";
import { describe, expect, test } from "vitest";
import { claimFromRun, findInIssue } from "../../src/sweep/found/index.ts";
import { claimsOf } from "../../src/sweep/work/claims-of.ts";
import { issueWith } from "../triage/facts.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const PRODUCT = "octo/parser";

test("a stored reproduction in which a secret was masked is not run by a sweep (W1, T8)", async () => {
  const script = "curl 'postgres://app:[redacted secret]@db.example.com/x'";
  const expectation = { exitCode: 1, outputContains: null };
  const stored = {
    script,
    expect: expectation,
    repo: PRODUCT,
    number: 1,
    title: "",
    signature: null,
    checks: [],
  };
  const read = async () => ({ schema: "afk-triage/reproduction@1" as const, ...stored });
  const none = () => Promise.reject(new Error("not asked for"));
  const reproductions = { read, save: none, remove: none, all: none, pathOf: () => "" };
  expect(await claimsOf({ issue: issueWith(), comments: [] }, null, { reproductions })).toEqual([]);
});

describe("reproductions in the text of an issue", () => {
  test("a fenced script is found with the exit code and the output that the report names (W1)", () => {
    const body = [
      "# Steps to reproduce",
      fence("js", "const p = require('parser');\nconsole.log(p.parse('a'));\nprocess.exit(3);"),
      "I got `undefined line` and it exits with code 3.",
    ].join("\n\n");
    const [found] = findInIssue([body], PRODUCT);
    expect(found?.expect).toEqual({ exitCode: 3, outputContains: "undefined line" });
    expect(found?.script).toContain("exec node reproduction.cjs");
    expect(found?.script).toContain("ln -s");
  });

  test("the most likely block comes first, and blocks of output, expectations and set-up are not scripts (W1)", () => {
    const body = [
      fence("js", "import { other } from 'parser';"),
      "## Expected",
      fence("js", "console.log('fine')"),
      "## Environment",
      fence("sh", "node -v"),
      "## Reproduction",
      fence("sh", "npm install parser"),
      fence("sh", "#!/bin/sh\nnode -e 'require(\"parser\")()'"),
      "## Actual output",
      fence("", "TypeError: no"),
    ].join("\n\n");
    const found = findInIssue([body], PRODUCT);
    expect(found.map(({ script }) => script.split("\n")[1])).toEqual([
      "node -e 'require(\"parser\")()'",
      "for name in parser; do",
    ]);
    expect(found[0]?.said).toEqual(["TypeError: no"]);
  });

  test("the commands after prompts are the script, without their output", () => {
    const [found] = findInIssue(
      [fence("console", "$ node -e 'x()'\nReferenceError: x\n$ echo $?\n1")],
      PRODUCT,
    );
    expect(found?.script).toBe("#!/bin/sh\nnode -e 'x()'\necho $?\n");
  });

  test.each([
    ["parser", "console.log(require('parser')('a'))"],
    ["parser", "import(\"parser/index.js\").then(({ default: parse }) => console.log(parse('a')))"],
    ["parser", "import parse from 'parser';\nconsole.log(parse('a'));"],
    ["@scope/parser", "import parse from '@scope/parser';\nconsole.log(parse('a'));"],
  ])(
    "a program that imports the package %s gets the checkout under that name: %s (W1)",
    async (name, text) => {
      for (const manifest of [JSON.stringify({ name }), JSON.stringify({ name }, null, 2)]) {
        await using directory = await temporaryDirectory();
        await writeFile(join(directory.path, "package.json"), manifest);
        await writeFile(join(directory.path, "index.js"), 'module.exports = () => "the checkout";');
        const [found] = findInIssue([fence("js", `${text}\n`)], PRODUCT);
        const { stdout } = await execa("sh", ["-s"], { cwd: directory.path, input: found?.script ?? "" });
        expect(stdout).toBe("the checkout");
      }
    },
  );

  test("an installed package keeps its name, and a program without imports creates no link (W1)", async () => {
    await using directory = await temporaryDirectory();
    const installed = join(directory.path, "node_modules/parser");
    await mkdir(installed, { recursive: true });
    await writeFile(join(directory.path, "package.json"), '{"name":"parser"}');
    await writeFile(join(installed, "index.js"), 'module.exports = () => "the installed one";');
    const [found] = findInIssue([fence("js", "console.log(require('parser')('a'))")], PRODUCT);
    const { stdout } = await execa("sh", ["-s"], { cwd: directory.path, input: found?.script ?? "" });
    expect(stdout).toBe("the installed one");
    const [plain] = findInIssue([fence("js", "console.log(1); process.exit(1)")], PRODUCT);
    expect(plain?.script).not.toContain("ln -s");
  });

  test("prose without code contains no reproduction", () => {
    expect(findInIssue(["It is broken since `1.2.0`.", ""], PRODUCT)).toEqual([]);
  });
});

describe("the claim of an observed run", () => {
  const claim = (output: string, exitCode: number | null, said: string[] = []) =>
    claimFromRun({ output, exitCode }, said);

  test("a run that prints the reported output shows the bug, whatever its exit code (W2)", () => {
    expect(claim("a  b\n", 0, ["a  b", "never"])).toEqual({ exitCode: 0, outputContains: "a  b" });
  });

  test.each([
    [
      "TAP",
      `TAP version 13\n# Subtest: an error is thrown\nnot ok 1 - an error is thrown\n  failureType: 'testCodeFailure'\n  error: 'got 3 for 2'\n  code: 'ERR_ASSERTION'\n1..1\n# fail 1\n`,
      "error: 'got 3 for 2'",
    ],
    [
      "TAP with a long message",
      "not ok 1 - adds\n  error: |-\n    Expected values to be equal:\n    1 !== 2\n# fail 1\n",
      "Expected values to be equal:",
    ],
    [
      "jest",
      "FAIL test/adds.test.js\n  Expected: 2\n  Received: 1\nTests: 1 failed, 1 total\n",
      "Expected: 2",
    ],
  ])(
    "the claim of a failing test is its assertion, not the runner's general output: %s (W2)",
    (_, output, words) => {
      expect(claim(output, 1)).toEqual({ exitCode: 1, outputContains: words });
    },
  );

  test("the claim of a failing run is its most specific line, without paths of the machine (W2)", () => {
    const output =
      "/tmp/x/y/run/a.js:3\nTypeError: no such thing in /tmp/x/y/run/a.js\n    at f (/tmp/x/y/a.js:1)\n";
    expect(claim(output, 1)).toEqual({ exitCode: 1, outputContains: "TypeError: no such thing in" });
    expect(claim("", 4)).toEqual({ exitCode: 4, outputContains: null });
  });

  test("a run that succeeds without the reported output, or does not end, makes no claim (W2)", () => {
    expect(claim("fine\n", 0, ["broken"])).toBeNull();
    expect(claim("TypeError: x\n", null)).toBeNull();
  });
});

describe("a linked repository", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const linked = (url: string): string[] =>
    findInIssue([`I made [a small repository](${url}).`], PRODUCT).map(
      ({ origin, script }) => `${origin} ${script}`,
    );

  test.each([
    [
      `https://github.com/reporter/shows-it/tree/${commit}`,
      `https://github.com/reporter/shows-it.git ${commit}`,
    ],
    [`https://github.com/reporter/all/tree/${commit}/cases/one`, 'cd "cases/one"'],
    [
      `https://gitlab.com/reporter/shows-it/-/tree/${commit}`,
      `https://gitlab.com/reporter/shows-it.git ${commit}`,
    ],
    [
      `https://gist.github.com/reporter/${commit.slice(0, 32)}/${commit}`,
      `${commit.slice(0, 32)}.git ${commit}`,
    ],
  ])("at a commit is a reproduction: %s (W1)", (url, says) => {
    expect(linked(url)).toEqual([expect.stringContaining(says)]);
    expect(linked(url)[0]).toMatch(/^linked /);
  });

  test.each([
    ["a branch", "https://github.com/reporter/shows-it/tree/main"],
    ["a single file", `https://github.com/reporter/shows-it/blob/${commit}/index.js`],
    ["a change", `https://github.com/reporter/shows-it/commit/${commit}`],
    ["the product itself", `https://github.com/octo/parser/tree/${commit}`],
    ["another host", `https://example.test/reporter/shows-it/tree/${commit}`],
    ["a folder outside", `https://github.com/reporter/shows-it/tree/${commit}/../..`],
    ["shell text", `https://github.com/reporter/$(id)/tree/${commit}`],
  ])("whose link is to %s is not a reproduction (W1)", (_, url) => expect(linked(url)).toEqual([]));

  test("runs with the checkout instead of the installed product (W1)", async () => {
    await using directory = await temporaryDirectory();
    const at = (name: string): string => join(directory.path, name);
    await mkdir(at("product"));
    await writeFile(at("product/package.json"), '{"name":"parser","main":"index.js"}');
    await writeFile(at("product/index.js"), 'module.exports = () => "the checkout";');
    await mkdir(at("linked"));
    await writeFile(at("linked/package.json"), '{"name":"shows-it","scripts":{"test":"node case.js"}}');
    await writeFile(at("linked/case.js"), 'console.log(require("parser")()); process.exit(3);');
    const git = execa({
      cwd: at("linked"),
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
    await git`git init -q -b main`;
    await git`git add --all`;
    await git`git -c user.name=t -c user.email=t@example.test commit -q -m shows`;
    const { stdout: head } = await git`git rev-parse HEAD`;
    const [found] = findInIssue([`https://github.com/reporter/shows-it/tree/${head}`], PRODUCT);
    const offline = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.${at("linked")}/.git.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://github.com/reporter/shows-it.git",
      npm_config_offline: "true",
    };
    const ran = await execa("sh", ["-s"], {
      cwd: at("product"),
      input: found?.script ?? "",
      env: offline,
      reject: false,
    });
    expect(ran).toMatchObject({ exitCode: 3, stdout: "the checkout" });
  });
});

describe("a playground", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const program = "const p = require('parser');\nconsole.log(p('a'));";
  const files = {
    files: { "package.json": { content: { main: "go.js" } }, "go.js": { content: "process.exit(4)" } },
  };
  const forAddresses = (text: string): string =>
    lzString.compressToBase64(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const found = (url: string): string[] =>
    findInIssue([`See [the playground](${url}).`], PRODUCT).map(
      ({ origin, script }) => `${origin} ${script}`,
    );

  test.each([
    ["StackBlitz", `https://stackblitz.com/github/reporter/shows-it/tree/${commit}`, "reporter/shows-it.git"],
    [
      "CodeSandbox",
      `https://codesandbox.io/s/github/reporter/all/tree/${commit}/cases/one`,
      'cd "cases/one"',
    ],
    ["Gitpod", `https://gitpod.io/#https://github.com/reporter/shows-it/tree/${commit}`, "shows-it.git"],
    [
      "TypeScript's playground",
      `https://www.typescriptlang.org/play/?ts=5.4#code/${lzString.compressToEncodedURIComponent(program)}`,
      program,
    ],
    [
      "Babel's REPL",
      `https://babeljs.io/repl#?browsers=&code_lz=${forAddresses(program)}&debug=false`,
      program,
    ],
    [
      "CodeSandbox's define",
      `https://codesandbox.io/api/v1/sandboxes/define?parameters=${forAddresses(JSON.stringify(files))}`,
      "process.exit(4)",
    ],
  ])("of %s is a reproduction that is read from the link alone (W1)", (_, url, says) => {
    expect(found(url)).toEqual([expect.stringContaining(says)]);
    expect(found(url)[0]).toMatch(/^linked /);
  });

  const define = (content: unknown): string =>
    `https://codesandbox.io/api/v1/sandboxes/define?parameters=${forAddresses(JSON.stringify(content))}`;
  test.each([
    ["that keeps its files on a server", "https://stackblitz.com/edit/node-abc123?file=index.js"],
    ["at a branch", "https://stackblitz.com/github/reporter/shows-it/tree/main"],
    ["whose text was not packed by lz-string", "https://www.typescriptlang.org/play/#code/____"],
    [
      "whose packed text is too long to unpack",
      `https://www.typescriptlang.org/play/#code/${"N".repeat(8_001)}`,
    ],
    ["with a file outside its folder", define({ files: { "../../evil.js": { content: "1" } } })],
    ["with shell text in a path", define({ files: { "$(id).js": { content: "1" } } })],
    ["whose document has another format", define({ other: 1 })],
  ])("%s is not a reproduction (W1)", (_, url) => expect(found(url)).toEqual([]));

  test("is written unchanged and started with the checkout instead of the product (W1)", async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, "package.json"), '{"name":"parser","main":"index.js"}');
    await writeFile(join(directory.path, "index.js"), 'module.exports = () => "the checkout";');
    const shown = 'console.log(require("parser")(), "END_OF_FILE $HOME `id`"); process.exit(3);';
    const [script] = findInIssue(
      [
        define({
          files: { "package.json": { content: '{"main":"src/a.js"}' }, "src/a.js": { content: shown } },
        }),
      ],
      PRODUCT,
    );
    const ran = await execa("sh", ["-s"], {
      cwd: directory.path,
      input: script?.script ?? "",
      env: { npm_config_offline: "true" },
      reject: false,
    });
    expect(ran).toMatchObject({ exitCode: 3, stdout: "the checkout END_OF_FILE $HOME `id`" });
  });

  test("with a Python project runs with the checkout (W1)", async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, "parser.py"), "def parse(text):\n    return 'the checkout'\n");
    const [script] = findInIssue(
      [
        define({
          files: { "repro.py": { content: "import parser, sys\nprint(parser.parse('a'))\nsys.exit(3)" } },
        }),
      ],
      PRODUCT,
    );
    const ran = await execa("sh", ["-s"], {
      cwd: directory.path,
      input: script?.script ?? "",
      reject: false,
    });
    expect(ran).toMatchObject({ exitCode: 3, stdout: "the checkout" });
  });
});
