import { expect, test } from "vitest";
import type { CoderTimings } from "../../src/workspaces/index.ts";
import {
  type CoderFaults,
  type CoderStandInOptions,
  created,
  deployment,
  failureOf,
  LEASE,
  never,
  ready,
} from "../support/coder/index.ts";

test("ready reports its phases and returns a directory that belongs to this run alone", async () => {
  await using subject = await deployment({
    timings: { queueMs: 400, buildMs: 400, connectMs: 400, startupMs: 400 },
  });
  const workspace = await created(subject.provider);
  const phases: string[] = [];
  const shell = await workspace.ready(never, (phase) => phases.push(phase));
  expect(phases).toEqual(["queued", "building", "connecting", "starting", "shell"]);
  expect(shell.directory).toMatch(new RegExp(`/\\.afk-triage/${LEASE.runId}$`));
  const modes = await shell.exec(`stat -c %a '${shell.directory}' '${shell.directory}/..'`, {
    timeoutMs: 5000,
  });
  expect(modes.type === "exited" ? Buffer.from(modes.stdout).toString() : modes).toBe("700\n700\n");
});

test("ready waits for a slow Coder workspace agent whose connection_timeout is 0, which means never (coder failure 14)", async () => {
  const templates = [{ name: "triage", connectionTimeoutS: 0 }];
  await using subject = await deployment(
    { templates, timings: { connectMs: 400 } },
    { timings: { connectMarginMs: 0 } },
  );
  await expect(ready(subject.provider)).resolves.toMatchObject({ warnings: [] });
});

interface Failure {
  faults: Partial<CoderFaults>;
  timings?: Partial<CoderTimings>;
  standIn?: CoderStandInOptions;
  code: string;
  says: RegExp;
}

const FAILURES: Record<string, Failure> = {
  "coder failure 11: the build fails": {
    faults: { startBuild: "fails" },
    code: "WORKSPACE_BUILD_FAILED",
    says: /terraform apply: exit status 1; its log ends:\n {2}\| Setting up/,
  },
  "coder failure 4: the quota is used up": {
    faults: { startBuild: "quota" },
    code: "WORKSPACE_QUOTA",
    says: /insufficient quota/,
  },
  "the check of the quota waited too long for other builds (Coder 2.39)": {
    faults: { quotaWaits: 1 },
    code: "WORKSPACE_QUOTA_BUSY",
    says: /Failed to commit quota/,
  },
  "coder failure 12: no provisioner takes the build": {
    faults: { startBuild: "stuck-pending" },
    timings: { pendingLimitMs: 50 },
    code: "WORKSPACE_BUILD_STUCK",
    says: /still pending.*available: 0/,
  },
  "coder failure 12: the build never ends": {
    faults: { startBuild: "stuck-running" },
    timings: { buildLimitMs: 50 },
    code: "WORKSPACE_BUILD_STUCK",
    says: /still running/,
  },
  "coder failure 14: the Coder workspace agent never connects": {
    faults: { startup: "never-connects" },
    timings: { connectMarginMs: -119_950 },
    code: "WORKSPACE_AGENT_UNREACHABLE",
    says: /still connecting/,
  },
  "coder failure 15: the startup script fails": {
    faults: { startup: "start_error" },
    code: "WORKSPACE_STARTUP_FAILED",
    says: /start_error.*\n {2}\| npm: command not found/s,
  },
  "coder failure 15: the startup script takes too long for Coder": {
    faults: { startup: "start_timeout" },
    code: "WORKSPACE_STARTUP_FAILED",
    says: /start_timeout/,
  },
  "coder failure 27: a prebuild whose Coder workspace agent never comes back": {
    faults: { startup: "shutting_down" },
    timings: { startupLimitMs: 50 },
    code: "WORKSPACE_STARTUP_FAILED",
    says: /shutting_down/,
  },
  "coder failure 16: the shell never answers": {
    faults: { sshSetupFailures: 1000 },
    timings: { shellAttempts: 2 },
    code: "WORKSPACE_SHELL_UNREACHABLE",
    says: /2 attempts.*handshake failed: EOF/,
  },
  "several Coder workspace agents and none named": {
    faults: {},
    standIn: { templates: [{ name: "triage", agents: ["main", "gpu"] }] },
    code: "WORKSPACE_AGENT_UNREACHABLE",
    says: /\[main, gpu\]; exactly one/,
  },
};

test.each(Object.keys(FAILURES))("ready rejects: %s", async (name) => {
  const failure = FAILURES[name];
  if (failure === undefined) throw new Error(name);
  const { faults, timings = {}, standIn = {}, code, says } = failure;
  await using subject = await deployment(standIn, { timings });
  Object.assign(subject.standIn.faults, faults);
  const workspace = await created(subject.provider);
  const seen = await failureOf(workspace.ready(never, () => {}));
  expect(seen).toMatchObject({ code, message: expect.stringMatching(says) as string });
  expect(seen.message).not.toContain("secret-of-the-template");
});

test("ready uses the named Coder workspace agent, never that of a devcontainer", async () => {
  await using subject = await deployment(
    { templates: [{ name: "triage", agents: ["main", "gpu"] }] },
    { agentName: "gpu" },
  );
  const shell = await ready(subject.provider);
  const name = await shell.exec('printf %s "$CODER_WORKSPACE_AGENT_NAME"', { timeoutMs: 5000 });
  expect(name.type === "exited" ? Buffer.from(name.stdout).toString() : name).toBe("gpu");
});

test("ready tries ssh again if it is refused or dropped at first (coder failure 16)", async () => {
  await using subject = await deployment();
  Object.assign(subject.standIn.faults, { sshSetupFailures: 2, sshDrops: 2 });
  expect((await ready(subject.provider)).directory).toContain(LEASE.runId);
});

test("ready does not fail when polling the build returns 502 (coder failure 10, coder failure 23)", async () => {
  await using subject = await deployment();
  const answer = { status: 502, html: "<title>Bad Gateway</title>" };
  const workspace = await created(subject.provider);
  subject.standIn.faults.answers.push({
    method: "GET",
    path: /^\/workspaces\//,
    times: 3,
    effect: "before",
    answer,
  });
  expect((await workspace.ready(never, () => {})).directory).toContain(LEASE.runId);
});

test.each(["stop", "delete"] as const)(
  "ready rejects with WORKSPACE_LOST after a %s by another user (coder failure 18)",
  async (transition) => {
    await using subject = await deployment({ timings: { queueMs: 60_000 } });
    const workspace = await created(subject.provider);
    const [record] = subject.standIn.state.workspaces;
    if (record === undefined) throw new Error("nothing was created");
    const outcome = failureOf(workspace.ready(never, () => {}));
    for (const build of record.builds) build.job = "canceled";
    subject.standIn.state.addBuild(record, transition);
    expect(await outcome).toMatchObject({ code: "WORKSPACE_LOST" });
  },
);

test("an abort ends ready with the signal's reason, even while ssh hangs", async () => {
  await using subject = await deployment();
  const stop = new AbortController();
  const workspace = await created(subject.provider);
  const outcome = workspace.ready(stop.signal, (phase) => {
    if (phase !== "shell") return;
    subject.standIn.configureCli({ hangs: true });
    queueMicrotask(() => stop.abort(new Error("stopped by the test")));
  });
  await expect(outcome).rejects.toThrow("stopped by the test");
});
