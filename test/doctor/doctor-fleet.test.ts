import { generateKeyPairSync } from "node:crypto";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { examineFleet, type FleetFacts, type FleetProbes } from "../../src/doctor/fleet/index.ts";
import { examineDatabase, migrateFleet } from "../../src/fleet/index.ts";
import { createOctokitSetup } from "../../src/github/index.ts";
import { type EmulatedApp, startEmulatedGithub } from "../support/github/emulated-github.ts";
import { postgresPrograms, startPostgres, withoutPostgres } from "../support/fleet/postgres.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PERMISSIONS = {
  contents: "read",
  issues: "write",
  metadata: "read",
  pull_requests: "read",
  checks: "read",
  statuses: "read",
};
const APP: EmulatedApp = {
  app_id: 7,
  slug: "afk-triage",
  name: "afk-triage",
  private_key: KEY,
  permissions: PERMISSIONS,
  events: ["issues", "issue_comment", "repository"],
  installations: [{ installation_id: 1, account: "octo" }],
};
const HOOK = "https://fleet.example.com/webhooks";
const facts: FleetFacts = { connectionsOfWorker: 17, hasWebhookSecret: true, parallelism: 5 };
const noProbes: FleetProbes = { database: null, app: null, quota: null };

interface Answered {
  app?: Partial<EmulatedApp>;
  /** null: the App has no webhook. */
  hook?: string | null;
  /** HTTP statuses of the newest deliveries, newest first; 0: there was no answer. */
  deliveries?: readonly number[];
  facts?: Partial<FleetFacts>;
}

/** Returns the checks, by name, of a fleet whose App is registered at an emulated GitHub. */
async function examined({ app = {}, hook = HOOK, deliveries = [200], ...change }: Answered) {
  await using github = await startEmulatedGithub({ app: { ...APP, ...app } });
  // The emulated GitHub has no webhooks of Apps.
  github.proxy.respond = ({ path }) => {
    if (path.startsWith("/app/hook/config"))
      return Promise.resolve(
        hook === null
          ? { status: 404, body: '{"message":"Not Found"}' }
          : { status: 200, body: JSON.stringify({ url: hook, content_type: "json" }) },
      );
    if (!path.startsWith("/app/hook/deliveries")) return Promise.resolve(null);
    const listed = deliveries.map((status_code, index) => ({
      id: index,
      guid: `guid-${index}`,
      event: "issues",
      delivered_at: "2026-11-23T08:00:00Z",
      status: status_code === 0 ? "timed out" : status_code < 300 ? "OK" : "Invalid HTTP Response",
      status_code,
    }));
    return Promise.resolve({ status: 200, body: JSON.stringify(listed) });
  };
  const credential = { type: "app", appId: "7", privateKey: KEY, repository: null } as const;
  const setup = createOctokitSetup({
    apiUrl: github.apiUrl,
    credential,
    userAgent: "test",
    clock: systemClock,
    pacing: "none",
  });
  return await checksOf({ ...noProbes, app: () => setup.app }, change.facts);
}

async function checksOf(probes: FleetProbes, change: Partial<FleetFacts> = {}) {
  const asking = { clock: systemClock, signal: new AbortController().signal };
  const checks = await examineFleet({ ...facts, ...change }, probes, asking);
  for (const { status, remedy } of checks)
    expect(remedy !== null).toBe(status === "warn" || status === "failed");
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

test("doctor --fleet finds no problem when the App, its installation and its webhook are set up correctly", async () => {
  const checks = await examined({});
  expect(checks["fleet-app"]).toMatchObject({ status: "ok" });
  expect(checks["fleet-installations"]).toMatchObject({ status: "ok", message: "installed by octo" });
  expect(checks["fleet-webhook"]).toMatchObject({
    status: "ok",
    message: `the last 1 deliveries to ${HOOK} arrived`,
  });
  expect(checks["fleet-clock"]).toMatchObject({ status: "ok" });
});

test("doctor --fleet names a permission and an event that the App lacks", async () => {
  const permissions = { ...PERMISSIONS, issues: "read" };
  const refused = await examined({ app: { permissions } });
  expect(refused["fleet-app"]).toMatchObject({
    status: "failed",
    message: "afk-triage lacks the permission issues: write",
  });
  const deaf = await examined({ app: { events: ["issues"] } });
  expect(deaf["fleet-app"]).toMatchObject({
    status: "failed",
    message: "afk-triage is not subscribed to the event issue_comment",
  });
});

test("doctor --fleet warns about missing permissions that only private repositories need, and about delayed rename notifications", async () => {
  const { checks: _, ...permissions } = PERMISSIONS;
  expect((await examined({ app: { permissions } }))["fleet-app"]).toMatchObject({
    status: "warn",
    message: "afk-triage has not checks: read, which private repositories need",
  });
  const events = ["issues", "issue_comment"];
  expect((await examined({ app: { events } }))["fleet-app"]).toMatchObject({ status: "warn" });
});

test("doctor --fleet names an account that has not granted the permissions the App asks for, and an App that is not installed", async () => {
  const behind = [{ installation_id: 1, account: "octo", permissions: { issues: "read" } }];
  expect((await examined({ app: { installations: behind } }))["fleet-installations"]).toMatchObject({
    status: "failed",
    message: "octo has not granted contents: read, issues: write, metadata: read",
  });
  expect((await examined({ app: { installations: [] } }))["fleet-installations"]).toMatchObject({
    status: "failed",
    message: "afk-triage is installed on no account",
  });
});

test("doctor --fleet reports the statuses of failed deliveries, and whether deliveries still fail", async () => {
  const failing = await examined({ deliveries: [502, 0, 502, 200] });
  expect(failing["fleet-webhook"]).toMatchObject({
    status: "failed",
    message: `3 of the last 4 deliveries to ${HOOK} failed: 2 × 502 Invalid HTTP Response, 1 × timed out`,
  });
  const mended = await examined({ deliveries: [202, 401] });
  expect(mended["fleet-webhook"]).toMatchObject({ status: "warn" });
  expect(mended["fleet-webhook"]?.remedy).toContain("AFK_TRIAGE_WEBHOOK_SECRET");
});

test("doctor --fleet reports a webhook that is missing, silent, or whose secret is not set here", async () => {
  expect((await examined({ hook: null }))["fleet-webhook"]).toMatchObject({ status: "warn" });
  expect((await examined({ deliveries: [] }))["fleet-webhook"]).toMatchObject({ status: "warn" });
  const secretless = await examined({ facts: { hasWebhookSecret: false } });
  expect(secretless["fleet-webhook"]).toMatchObject({ status: "failed" });
});

test("doctor --fleet skips the checks that depend on the App when GitHub does not accept its key", async () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const checks = await examined({
    app: { private_key: other.export({ type: "pkcs8", format: "pem" }).toString() },
  });
  expect(checks["fleet-app"]).toMatchObject({ status: "failed" });
  for (const name of ["fleet-installations", "fleet-webhook"])
    expect(checks[name]).toMatchObject({ status: "skip", message: "not checked: it needs fleet-app" });
});

test("doctor --fleet says when the quota of the Coder user is used up", async () => {
  const quota = async (consumed: number, budget: number | null) =>
    (await checksOf({ ...noProbes, quota: () => Promise.resolve({ consumed, budget }) }))["fleet-quota"];
  expect(await quota(10, 10)).toMatchObject({ status: "failed" });
  expect(await quota(9, 10)).toMatchObject({ status: "ok" });
  expect(await quota(9, null)).toMatchObject({ status: "ok", message: "no limit; 9 credits are in use" });
  const none = await checksOf({ ...noProbes, quota: () => Promise.resolve(null) });
  expect(none["fleet-quota"]).toMatchObject({ status: "skip" });
});

test("doctor --fleet fails when the clock is minutes away from the database's", async () => {
  const sound = {
    versionNumber: 150_018,
    missingTables: [],
    maxConnections: 97,
    usedConnections: 3,
    workers: 0,
  };
  const database = () => Promise.resolve({ ...sound, nowMs: systemClock.nowMs() - 400_000 });
  const checks = await checksOf({ ...noProbes, database });
  expect(checks["fleet-clock"]).toMatchObject({
    status: "failed",
    message: "this clock is 400 s ahead of the database's",
  });
  const old = { ...sound, versionNumber: 130_004, nowMs: systemClock.nowMs() };
  const checked = await checksOf({ ...noProbes, database: () => Promise.resolve(old) });
  expect(checked["fleet-database"]).toMatchObject({ status: "failed" });
});

test.skipIf(postgresPrograms === null)(
  `doctor --fleet reports the version, missing tables and free connections of a real PostgreSQL${withoutPostgres}`,
  async () => {
    await using server = await startPostgres({ connections: 30 });
    const probes = { ...noProbes, database: () => examineDatabase(server.url) };
    const before = await checksOf(probes);
    expect(before["fleet-database"]?.status).toBe("warn");
    expect(before["fleet-database"]?.message).toContain("has no table graphile_worker.jobs, fleet_fact");
    await migrateFleet(server.url);
    const ready = await checksOf(probes);
    expect(ready["fleet-database"]?.message).toMatch(
      /^PostgreSQL \d+\.\d+, 0 workers are alive; \d of 27 connections are in use, a worker holds up to 17$/,
    );
    expect(ready["fleet-clock"]?.status).toBe("ok");
    const crowded = await checksOf(probes, { connectionsOfWorker: 27 });
    expect(crowded["fleet-database"]).toMatchObject({ status: "failed" });
    await server.stop("fast");
    const away = await checksOf(probes);
    expect(away["fleet-database"]).toMatchObject({ status: "failed" });
    expect(away["fleet-database"]?.remedy).toContain("AFK_TRIAGE_DATABASE_URL");
    expect(away["fleet-clock"]?.status).toBe("skip");
    await server.start();
  },
);
