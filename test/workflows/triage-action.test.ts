import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { addRunCommand, addSweepCommand } from "../../src/cli/commands/index.ts";
import { actionRunner } from "./action-runner.ts";
import { evaluate } from "./evaluate.ts";
import { fileNamed, ROOT } from "./workflow-files.ts";

const INPUTS = { repository: "octo/product", program: "program.mjs", "github-token": "ghs_of_the_app" };

test("the steps run one shard of a batch, and report its result to GitHub (T14)", async () => {
  await using subject = await actionRunner();
  const inputs = { ...INPUTS, shard: "2/4", issue: "142, 150", "max-issues": "9", parallelism: "3" };
  expect((await subject.step("prepare", inputs)).exitCode).toBe(0);
  const { exitCode, stdout } = await subject.step("batch", inputs);
  expect(exitCode).toBe(0);
  const { argv, env } = await subject.started();
  expect(argv).toEqual(
    [
      ["run", "--repo", "octo/product", "--deadline", "50m", "--issue", "142", "--issue", "150"],
      ["--shard", "2/4", "--max-issues", "9", "--parallelism", "3"],
    ].flat(),
  );
  expect(env).toMatchObject({ GITHUB_TOKEN: "ghs_of_the_app", AFK_TRIAGE_CODER_BIN: "" });
  const outputs = await subject.outputs();
  expect(outputs).toMatchObject({
    "run-id": "20261121T093000Z",
    applied: "2",
    artifact: "afk-triage-3-2-of-4",
  });
  expect(env["AFK_TRIAGE_HOME"]).toBe(outputs["home"]);
  expect(await readFile(outputs["summary"] ?? "", "utf8")).toBe('{"schema":"afk-triage/summary@1"}\n');
  expect(await readFile(subject.path("step-summary"), "utf8")).toContain("Triage Batch");
  // S10: from here on the runner treats no line as a command.
  expect(stdout).toMatch(/^::stop-commands::[0-9a-f]{32}$/);
});

test("the real program's command line accepts the arguments of the steps (T14)", async () => {
  await using subject = await actionRunner();
  const inputs = {
    ...INPUTS,
    shard: "2/4",
    issue: "142",
    "max-issues": "9",
    parallelism: "3",
    "dry-run": "true",
  };
  await subject.step("prepare", inputs);
  await subject.step("batch", { ...inputs, config: "other.yml" });
  const { argv } = await subject.started();
  const program = new Command().exitOverride();
  addRunCommand(program, {
    output: () => Promise.reject(new Error("not reached")),
    exitWith: () => {},
  });
  const run = program.commands.find((command) => command.name() === "run");
  run?.action(() => {});
  await program.parseAsync(argv, { from: "user" });
  expect(run?.opts()).toMatchObject({
    repo: ["octo/product"],
    issue: [142],
    shard: { index: 2, count: 4 },
    maxIssues: 9,
    parallelism: 3,
    dryRun: true,
    config: "other.yml",
    deadline: 50 * 60_000,
  });
});

test("a sweep gets the options of the job, and a home that the job keeps (W5)", async () => {
  await using subject = await actionRunner();
  const inputs = {
    ...INPUTS,
    command: "sweep",
    query: "label:bug no:milestone",
    "older-than": "180d",
    home: "kept",
    shard: "2/4",
  };
  await subject.step("prepare", inputs);
  expect((await subject.outputs())["home"]).toBe(subject.path("kept"));
  await subject.step("batch", inputs);
  const { argv } = await subject.started();
  const program = new Command().exitOverride();
  addSweepCommand(program, {
    output: () => Promise.reject(new Error("not reached")),
    exitWith: () => {},
  });
  const sweep = program.commands.find((command) => command.name() === "sweep");
  sweep?.action(() => {});
  await program.parseAsync(argv, { from: "user" });
  expect(sweep?.opts()).toMatchObject({
    repo: ["octo/product"],
    query: "label:bug no:milestone",
    olderThan: 180 * 86_400_000,
    shard: { index: 2, count: 4 },
  });
});

test("each repository and shard has a home and an artifact of its own (T14)", async () => {
  await using subject = await actionRunner();
  const seen = [];
  for (const inputs of [INPUTS, { ...INPUTS, shard: "1/2" }, { ...INPUTS, repository: "octo/other" }]) {
    expect((await subject.step("prepare", inputs)).exitCode).toBe(0);
    const { home, artifact } = await subject.outputs();
    seen.push([artifact, home?.split("/").slice(-2).join("/")]);
  }
  expect(seen).toEqual([
    ["afk-triage-3-1-of-1", "afk-triage-1-of-1/home"],
    ["afk-triage-3-1-of-2", "afk-triage-1-of-2/home"],
    ["afk-triage-3-octo-other-1-of-1", "afk-triage-octo-other-1-of-1/home"],
  ]);
});

test("the files of a killed batch are cleaned before any of them is uploaded (S8, S18)", async () => {
  for (const [exit, sessions] of [
    ["0", "clean"],
    ["3", "clean"],
    ["1", undefined],
    ["130", undefined],
  ] as const) {
    await using subject = await actionRunner();
    await subject.step("prepare", INPUTS);
    const { exitCode, stdout } = await subject.step("clean", { ...INPUTS, config: "o.yml" }, { EXIT: exit });
    expect([exit, exitCode, (await subject.outputs())["sessions"]]).toEqual([exit, 0, sessions]);
    const { argv, env } = await subject.started();
    expect(argv).toEqual(["reap", "--repo", "octo/product", "--config", "o.yml"]);
    expect(env["AFK_TRIAGE_HOME"]).toBe((await subject.outputs())["home"]);
    // S10: from here on the runner treats no line as a command.
    expect(stdout).toMatch(/^::stop-commands::[0-9a-f]{32}$/);
  }
});

test.each<[batch: string, artifactDays: string, dryRun: string, isReaped: boolean]>([
  ["cancelled", "14", "false", true],
  ["cancelled", "0", "false", true],
  ["failure", "0", "false", true],
  ["success", "0", "false", false],
  ["cancelled", "0", "true", false],
])(
  "after the outcome %s, with artifact-days: %s and dry-run: %s, the Coder workspaces of the batch are reaped: %s (T5)",
  (outcome, artifactDays, dryRun, isReaped) => {
    const { steps = [] } = fileNamed(".github/actions/triage/action.yml").document.runs ?? {};
    const condition = steps.find(({ id }) => id === "clean")?.if ?? "";
    const context = {
      inputs: { "artifact-days": artifactDays, "dry-run": dryRun },
      steps: { prepare: { outputs: { artifact: "a" } }, batch: { outcome } },
    };
    expect(condition.startsWith("always() && ")).toBe(true);
    expect(evaluate(condition.slice("always() && ".length), context)).toBe(isReaped);
  },
);

test.each<[batch: string, sessions: string, uploaded: string]>([
  ["success", "", "/.home\n!/.home/**/.*\n\n"],
  ["failure", "clean", "/.home\n!/.home/**/.*\n\n"],
  ["failure", "", "/.home\n!/.home/**/.*\n!/.home/agent-tty/**\n"],
  ["cancelled", "", "/.home\n!/.home/**/.*\n!/.home/agent-tty/**\n"],
])(
  "after the outcome %s, cleaned: '%s', a home whose name begins with a dot is uploaded without its hidden files and without a Session that may hold a secret (S8, V8)",
  (batch, sessions, uploaded) => {
    const { steps = [] } = fileNamed(".github/actions/triage/action.yml").document.runs ?? {};
    const upload = steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@") === true);
    const context = {
      steps: {
        prepare: { outputs: { home: "/.home" } },
        batch: { outcome: batch },
        clean: { outputs: { sessions } },
      },
    };
    const path = String(upload?.with?.["path"]).replaceAll(/\$\{\{.*?\}\}/g, (part) =>
      String(evaluate(part, context)),
    );
    expect(path).toBe(uploaded);
    // Without it the action finds nothing in a home such as that of the sweep, .afk-triage-home.
    expect(upload?.with).toMatchObject({ "include-hidden-files": true, "if-no-files-found": "warn" });
  },
);

test("an input stays one argument, whatever it contains (S19)", async () => {
  await using subject = await actionRunner();
  const hostile = "$(touch pwned) `touch pwned`; touch pwned '\" --repo evil/repo\n::add-mask::x";
  const inputs = { ...INPUTS, config: hostile, "max-issues": hostile };
  await subject.step("prepare", inputs);
  await subject.step("batch", inputs);
  const { argv } = await subject.started();
  expect(argv.filter((argument) => argument === hostile)).toHaveLength(2);
  await expect(readFile(subject.path("pwned"))).rejects.toThrow("ENOENT");
});

test.each<[string, string | undefined, Record<string, string>, boolean]>([
  ["nothing is checked out", undefined, {}, true],
  ["nothing is checked out, but a config file is named", undefined, { config: "other.yml" }, false],
  ["the repository is checked out and has no config file", ".git/HEAD", {}, false],
  ["the config file is there", ".github/afk-triage.yml", {}, false],
])(
  "the action warns that every setting has its default only if no config file can be read: %s (T14)",
  async (_, file, inputs, warns) => {
    await using subject = await actionRunner();
    if (file !== undefined) {
      await mkdir(subject.path(dirname(file)), { recursive: true });
      await writeFile(subject.path(file), "");
    }
    const { exitCode, stdout } = await subject.step("prepare", { ...INPUTS, ...inputs });
    expect(exitCode).toBe(0);
    expect(stdout.includes("::warning::")).toBe(warns);
    if (warns) expect(stdout).toContain("Add an actions/checkout step");
  },
);

test("the step has the batch's exit code, and the batch's files are kept for the artifact", async () => {
  await using subject = await actionRunner();
  await subject.step("prepare", INPUTS);
  expect((await subject.step("batch", INPUTS, { EXIT: "3" })).exitCode).toBe(3);
  expect(await readFile((await subject.outputs())["summary"] ?? "", "utf8")).toContain("summary@1");
});

test("the signal of a cancelled job reaches the program itself (T5)", async () => {
  await using subject = await actionRunner();
  await subject.step("prepare", INPUTS);
  const batch = await subject.start("batch", INPUTS, { HANG: "1" });
  await new Promise((resolve) => batch.stderr.once("data", resolve));
  batch.kill("SIGINT");
  expect((await batch.ended).exitCode).toBe(130);
});

describe("the action refuses (S19)", () => {
  test.each<[string, Record<string, string>, string]>([
    ["a shard with shell text", { shard: "2/4; rm -rf /" }, "the input shard"],
    ["a repository that is a path", { repository: "../../x" }, "the input repository"],
    ["a version that may change", { version: "latest" }, "exact version"],
    ["a version that is an option", { version: "--registry=http://evil" }, "exact version"],
    ["a missing program", { program: "nowhere.js" }, "a file that does not exist"],
  ])("%s", async (_, inputs, says) => {
    await using subject = await actionRunner();
    const { exitCode, stderr } = await subject.step("prepare", { ...INPUTS, ...inputs });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});

test("without a program, exactly the release that the action belongs to is installed, without its scripts (S20)", async () => {
  await using subject = await actionRunner();
  await writeFile(subject.path("bin/npm"), '#!/bin/sh\nprintf "%s\\n" "$@" >npm-arguments\n');
  await chmod(subject.path("bin/npm"), 0o755);
  await mkdir(subject.path("package/.github/actions/triage"), { recursive: true });
  await writeFile(subject.path("package/package.json"), '{ "version": "4.5.6" }');
  const env = { GITHUB_ACTION_PATH: subject.path("package/.github/actions/triage") };
  await symlink(
    join(ROOT, ".github/actions/triage/prepare.sh"),
    subject.path("package/.github/actions/triage/prepare.sh"),
  );
  expect((await subject.step("prepare", { ...INPUTS, program: "" }, env)).exitCode).toBe(0);
  const npm = await readFile(subject.path("npm-arguments"), "utf8");
  expect(npm.trim().split("\n")).toEqual(
    expect.arrayContaining(["install", "--ignore-scripts", "afk-triage@4.5.6"]),
  );
});

test("the coder CLI comes from the deployment itself", async () => {
  await using subject = await actionRunner();
  const server = createServer((request, response) => {
    response.statusCode = request.url?.startsWith("/nothing") === true ? 404 : 200;
    response.end(`#!/bin/sh\necho ${request.url}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await subject.step("prepare", { ...INPUTS, "coder-url": `${url}/` })).exitCode).toBe(0);
    const { coder = "" } = await subject.outputs();
    expect((await execa(coder)).stdout).toMatch(/^\/bin\/coder-linux-(amd64|arm64)$/);
    const refused = await subject.step("prepare", { ...INPUTS, "coder-url": `${url}/nothing` });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("HTTP 404")]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
