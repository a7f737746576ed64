import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import type { Ended } from "../support/cli/run-in-process.ts";
import { type CoderStandIn, startCoderStandIn } from "../support/coder/index.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
let stage: ProgramStage;
beforeAll(async () => {
  program = await buildProgram();
  stage = await openProgramStage(program);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

interface Document {
  schema: string;
  checks: { name: string; status: string; message: string; remedy: string | null }[];
}

/** Runs a command, either in this process or as the program itself. */
type Run = (args: readonly string[], change?: Record<string, string>) => PromiseLike<Ended>;

async function doctor(args: readonly string[], env: Record<string, string> = {}, run: Run = stage.run) {
  const { exitCode, stdout, stderr } = await run(["doctor", ...args], { TMPDIR: stage.directory, ...env });
  const { schema, checks } = JSON.parse(stdout) as Document;
  expect(schema).toBe("afk-triage/doctor@1");
  const failed = checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  return { exitCode, stderr, checks, failed };
}

test("doctor of a working local set-up finds no problem, writes nothing to GitHub and leaves nothing behind", async () => {
  const { exitCode, failed, stderr, checks } = await doctor([], {}, stage.start);
  expect({ failed, exitCode, stderr }).toMatchObject({ failed: [], exitCode: 0 });
  expect(checks.find(({ name }) => name === "triage-agent")).toMatchObject({ status: "ok" });
  expect(stderr).toMatch(/^ok +pty: /m);
  const writes = stage.github.proxy.requests.filter(
    ({ method, status }) => method !== "GET" && (status ?? 0) < 400,
  );
  expect(writes).toEqual([]);
  const left = (await readdir(stage.directory)).filter((name) => name.startsWith("afk-triage-doctor-"));
  expect(left).toEqual([]);
  expect(await stage.processes()).toEqual([]);
});

test("each missing thing fails its own check, with a remedy and exit code 1", async () => {
  await stage.configure({
    ...stage.config,
    labels: { bug: "kind/bug" },
    triageAgent: { kind: "claude-code" },
  });
  const { exitCode, failed, checks } = await doctor(["--json"], {
    AFK_TRIAGE_MARKER_KEY: "short",
    TRIAGE_PARALLELISM: "0",
  });
  await stage.configure(stage.config);
  expect({ exitCode, failed }).toEqual({
    exitCode: 1,
    failed: ["environment", "marker-key", "labels", "triage-agent"],
  });
  for (const { remedy } of checks.filter(({ status }) => status === "failed")) expect(remedy).toMatch(/\w/);
});

test("doctor --fleet adds the checks of a fleet to the others, and a failure of them leads to exit code 1", async () => {
  const alone = await doctor(["--fleet"]);
  expect({ exitCode: alone.exitCode, failed: alone.failed }).toEqual({ exitCode: 0, failed: [] });
  const fleet = alone.checks.filter(({ name }) => name.startsWith("fleet-"));
  expect(fleet.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    "fleet-database: ok",
    "fleet-app: skip",
    "fleet-installations: skip",
    "fleet-webhook: skip",
    "fleet-quota: skip",
    "fleet-clock: skip",
  ]);
  expect(alone.stderr).toMatch(/^ok +fleet-database: /m);
  const away = await doctor(["--fleet", "--json"], {
    AFK_TRIAGE_DATABASE_URL: "postgresql://fleet:canary-canary@127.0.0.1:1/fleet",
  });
  expect({ exitCode: away.exitCode, failed: away.failed }).toEqual({
    exitCode: 1,
    failed: ["fleet-database"],
  });
  expect(JSON.stringify(away)).not.toContain("canary");
});

test("doctor shows no token (S8)", async () => {
  const { exitCode, stderr, failed } = await doctor([], { GITHUB_TOKEN: "canary-canary-canary" });
  expect({ exitCode, failed }).toEqual({ exitCode: 1, failed: ["github-credential"] });
  expect(stderr).not.toContain("canary");
});

async function checkCoder(
  arrange: (standIn: CoderStandIn) => Record<string, string> | void,
  failed: string[],
) {
  await using standIn = await startCoderStandIn();
  const env = {
    CODER_URL: standIn.url,
    CODER_SESSION_TOKEN: standIn.token,
    AFK_TRIAGE_CODER_BIN: standIn.binary,
    ...arrange(standIn),
  };
  expect((await doctor(["--provider", "coder"], env)).failed).toEqual(failed);
  expect(standIn.liveNames()).toEqual([]);
}

test("doctor checks a Coder deployment's version, the login and the template, and the CLI separately", async () => {
  await checkCoder(() => undefined, []);
  await checkCoder(
    () => ({ AFK_TRIAGE_CODER_BIN: "/nowhere/coder", CODER_SESSION_TOKEN: "expired" }),
    ["coder-cli", "coder-login"],
  );
  await checkCoder(() => ({ CODER_URL: "" }), ["coder-server"]);
});
