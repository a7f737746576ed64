import { mkdir, readdir, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import { type CoderStandIn, startCoderStandIn } from "../support/coder/index.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
let stage: ProgramStage;
const holder = createServer();
beforeAll(async () => {
  program = await buildProgram();
  stage = await openProgramStage(program);
  await stage.open("honest");
});
afterAll(async () => {
  holder.close();
  await stage[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

interface Refusal {
  args?: readonly string[];
  env?: Record<string, string>;
  code: string;
  says: RegExp;
}

/** Expects exit code 4 with a message and a remedy; nothing on stdout, nothing on GitHub, no process left. */
async function check({ args = [], env = {}, code, says }: Refusal): Promise<void> {
  const { exitCode, stdout, stderr } = await stage.run(["run", ...args], env);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`^afk-triage: ${code}: .+\nWhat to do: .+$`)) as string,
  });
  expect(stderr).toMatch(says);
  expect(stage.github.proxy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await stage.processes()).toEqual([]);
}

test("a credential that is missing or that GitHub refuses exits with 4", async () => {
  await check({ env: { GITHUB_TOKEN: "" }, code: "GITHUB_TOKEN_MISSING", says: /Set GITHUB_TOKEN/ });
  await check({
    env: { GITHUB_TOKEN: "", AFK_TRIAGE_APP_ID: "7" },
    code: "APP_KEY_INVALID",
    says: /it is not set.*\n.*PEM/,
  });
  await check({
    env: { GITHUB_TOKEN: "", AFK_TRIAGE_APP_ID: "7", AFK_TRIAGE_APP_PRIVATE_KEY: "-----BEGIN x" },
    code: "APP_KEY_INVALID",
    says: /cannot be read/,
  });
  await check({ env: { GITHUB_TOKEN: "ghp_expired" }, code: "GITHUB_TOKEN_REJECTED", says: /GITHUB_TOKEN/ });
});

test("a missing repository or an unreachable GitHub exits with 4", async () => {
  await check({
    args: ["--repo", "octo/nothing"],
    code: "GITHUB_REPOSITORY_MISSING",
    says: /octo\/nothing/,
  });
  await check({
    env: { GITHUB_API_URL: await addressOfNobody() },
    code: "GITHUB_UNREACHABLE",
    says: /GITHUB_API_URL/,
  });
});

test("a repository that is archived or has its issues turned off exits with 4 before anything is created (T9)", async () => {
  const { proxy, repo } = stage.github;
  const changed = proxy.onAnswer;
  try {
    for (const [change, says] of [
      [{ archived: true }, /is archived.*\n.*gh repo unarchive/],
      [{ has_issues: false }, /issues turned off.*\n.*--enable-issues/],
    ] as const) {
      proxy.onAnswer = async (request, answer) => {
        const isRepository = request.path === `/repos/${repo}`;
        const body = isRepository ? JSON.stringify({ ...JSON.parse(answer.body), ...change }) : answer.body;
        return { ...answer, body };
      };
      await check({ code: "GITHUB_REPOSITORY_CLOSED", says });
    }
  } finally {
    proxy.onAnswer = changed;
  }
});

/**
 * Returns an address on which nothing listens. The same port is held on a neighbouring address, so that no other program starts
 * to listen there in the meantime.
 */
async function addressOfNobody(): Promise<string> {
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.2:${(holder.address() as AddressInfo).port}`;
}

async function checkCoder(
  arrange: (standIn: CoderStandIn) => Record<string, string> | void,
  code: string,
  says: RegExp,
): Promise<void> {
  await using standIn = await startCoderStandIn();
  const env = {
    CODER_URL: standIn.url,
    CODER_SESSION_TOKEN: standIn.token,
    AFK_TRIAGE_CODER_BIN: standIn.binary,
    ...arrange(standIn),
  };
  await check({ args: ["--provider", "coder"], env, code, says });
  expect(standIn.liveNames()).toEqual([]);
}

test("a missing Coder configuration exits with 4", async () => {
  await checkCoder(
    () => ({ CODER_URL: "" }),
    "CODER_TOKEN_MISSING",
    /CODER_URL is not set.*--provider local/s,
  );
  await checkCoder(() => ({ CODER_SESSION_TOKEN: "" }), "CODER_TOKEN_MISSING", /coder tokens create/);
  await checkCoder(
    () => ({ AFK_TRIAGE_CODER_BIN: "/nowhere/coder" }),
    "CODER_CLI_MISSING",
    /\/nowhere\/coder/,
  );
  await checkCoder(
    (standIn) => standIn.configureCli({ version: "v2.20.0+abc" }),
    "CODER_CLI_TOO_OLD",
    /2\.20\.0/,
  );
  await checkCoder(() => ({ CODER_SESSION_TOKEN: "expired" }), "CODER_LOGGED_OUT", /CODER_SESSION_TOKEN/);
});

test("a template that Coder does not have exits with 4 and lists the existing ones", async () => {
  await stage.configure({ ...stage.config, coder: { template: "triaje" } });
  await checkCoder(() => undefined, "CODER_TEMPLATE_MISSING", /triaje.*triage/s);
  await stage.configure(stage.config);
});

test("an unusable home ends with exit code 4", async () => {
  for (const home of ["/dev/null/home", "/proc/home", "/proc/some/home"])
    await check({ env: { AFK_TRIAGE_HOME: home }, code: "HOME_UNWRITABLE", says: /--home/ });
});

test("no command hangs on a directory that cannot be created", async () => {
  const place = { cwd: stage.directory, env: { PATH: process.env["PATH"] ?? "", HOME: stage.directory } };
  for (const [args, code] of [
    [["demo", "--home", "/proc/home"], "HOME_UNWRITABLE"],
    [["serve", "--port", "0", "--home", "/proc/home"], "BOARD_TOKEN_UNWRITABLE"],
  ] as const) {
    const { exitCode, stderr } = await program.start(args, { ...place, limitMs: 20_000 });
    expect([args, exitCode, stderr]).toEqual([args, 4, expect.stringContaining(`afk-triage: ${code}: `)]);
  }
});

test("a home that is a link, or contains one, is refused before anything is written through it (S17)", async () => {
  const elsewhere = join(stage.directory, "elsewhere");
  await mkdir(elsewhere);
  const [linked, linking] = [join(stage.directory, "linked"), join(stage.directory, "linking")];
  await symlink(elsewhere, linked);
  await check({
    env: { AFK_TRIAGE_HOME: linked },
    code: "HOME_UNSAFE",
    says: /linked: it is a symbolic link/,
  });
  await mkdir(linking, { mode: 0o700 });
  await symlink(elsewhere, join(linking, "runs"));
  await check({ env: { AFK_TRIAGE_HOME: linking }, code: "HOME_UNSAFE", says: /linking\/runs: it is/ });
  expect(await readdir(elsewhere)).toEqual([]);
});

test("with --json a refusal by the program itself is one JSON line", async () => {
  const { exitCode, stdout, stderr } = await stage.start(["run", "--json"], { GITHUB_TOKEN: "" });
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "GITHUB_TOKEN_MISSING" } });
});
