import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { planReap } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  connect,
  created,
  deployment,
  failureOf,
  LEASE_PARAMETERS,
  never,
  type ParameterSpec,
  type PresetSpec,
  request,
} from "../support/coder/index.ts";

const DAY_MS = 24 * 3_600_000;
const POOL: PresetSpec = { name: "warm", prebuilds: 1 };
const IMMUTABLE = LEASE_PARAMETERS.map((parameter) => ({ ...parameter, mutable: false }));

const pooled = (preset: Partial<PresetSpec> = {}, parameters: ParameterSpec[] = LEASE_PARAMETERS) => ({
  templates: [{ name: "triage", parameters, presets: [{ ...POOL, ...preset }] }],
});

/** Waits until the deployment has a prebuilt Coder workspace that can be claimed. */
async function poolIsReady({ state }: CoderStandIn): Promise<void> {
  await expect.poll(() => (state.settle(), state.claimableCount())).toBeGreaterThan(0);
}

test.each([
  ["the preset of its name", "warm"],
  ["no preset, which matches a preset without parameters", "none"],
])("a create with %s claims a prebuilt Coder workspace", async (_, preset) => {
  await using subject = await deployment(pooled({ prebuildAgeMs: DAY_MS }), { preset });
  await poolIsReady(subject.standIn);
  const [prebuild] = subject.standIn.state.workspaces;
  const workspace = await created(subject.provider);
  expect(workspace).toMatchObject({ id: prebuild?.id, name: "product-triage-142", origin: "prebuilt" });
  expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
});

test("a create builds its own Coder workspace when the pool is empty", async () => {
  await using subject = await deployment(pooled({ prebuilds: 0 }), { preset: "warm" });
  expect(await created(subject.provider)).toMatchObject({ origin: "built" });
});

test("a claim whose answer was lost is adopted as a claim (coder failure 3)", async () => {
  await using subject = await deployment(pooled(), { preset: "warm" });
  await poolIsReady(subject.standIn);
  const path = /^\/users\/me\/workspaces$/;
  subject.standIn.faults.answers.push({ method: "POST", path, times: 1, effect: "after", answer: "drop" });
  expect(await created(subject.provider)).toMatchObject({ origin: "prebuilt" });
});

test("the stand-in refuses a claim that changes an immutable parameter, and keeps the prebuild (HTTP 400)", async () => {
  await using subject = await deployment(pooled());
  const [template] = subject.standIn.state.templates;
  await subject.provider.preflight(never);
  await poolIsReady(subject.standIn);
  if (template !== undefined) template.spec.parameters = IMMUTABLE;
  const failure = await failureOf(subject.provider.create(request(), never));
  expect(failure).toMatchObject({ code: "CODER_PARAMETER_REJECTED" });
  expect(failure.message).toContain('Parameter "run_id" is not mutable');
  expect(subject.standIn.state.claimableCount()).toBe(1);
});

test.each<[string, ReturnType<typeof pooled>, string, Record<string, string>, RegExp | null]>([
  [
    "refuses prebuilds of a template whose lease is immutable",
    pooled({}, IMMUTABLE),
    "warm",
    {},
    /warm.*prebuilt.*run_id, issue_number.*mutable = true/s,
  ],
  ["refuses them without a named preset, too", pooled({}, IMMUTABLE), "none", {}, /mutable = true/],
  [
    "ignores prebuilds that none of our creates matches",
    pooled({ parameters: { region: "us" } }, [...IMMUTABLE, { name: "region", defaultValue: "eu" }]),
    "none",
    {},
    null,
  ],
  [
    "refuses a value for an immutable parameter that differs from the prebuilds' value",
    pooled({}, [...LEASE_PARAMETERS, { name: "region", defaultValue: "eu" }]),
    "warm",
    { region: "us" },
    /region cannot change at a claim/,
  ],
  [
    "accepts the value that the prebuilds have",
    pooled({}, [...LEASE_PARAMETERS, { name: "region", defaultValue: "eu" }]),
    "warm",
    { region: "eu" },
    null,
  ],
  [
    "refuses a preset that sets a part of the lease",
    pooled({ prebuilds: 0, parameters: { run_id: "" } }),
    "warm",
    {},
    /warm.*sets run_id.*Remove it/s,
  ],
])("preflight %s", async (_, standIn, preset, parameters, says) => {
  await using subject = await deployment(standIn, { preset, parameters });
  if (says === null) {
    await subject.provider.preflight(never);
    return;
  }
  const failure = await failureOf(subject.provider.preflight(never));
  expect(failure.code).toBe("CODER_PARAMETER_REJECTED");
  expect(`${failure.message} ${failure.remedy}`).toMatch(says);
});

test.each([
  ["v2.34.5+c3dd41e", /restart a claimed one at every reconnect.*newest patch release/s],
  ["v2.36.0+c3dd41e", /^$/],
])("preflight on %s warns of releases that restart claimed Coder workspaces", async (version, says) => {
  const options = { ...pooled(), serverVersion: version, cliVersion: version };
  await using subject = await deployment(options, { preset: "warm" });
  expect((await subject.provider.preflight(never)).warnings.join("")).toMatch(says);
});

test("the age of a claimed Coder workspace counts from the claim, so that no reaper considers a fresh one old", async () => {
  await using subject = await deployment(pooled({ prebuildAgeMs: 3 * DAY_MS }), { preset: "warm" });
  await poolIsReady(subject.standIn);
  const { id } = await created(
    subject.provider,
    request("product-triage-1", { parent: "elsewhere/1/boot.1.1" }),
  );
  const judge = async () => {
    const found = await connect(subject.standIn).list("product-triage", never);
    return planReap(found, { ownParent: "here/1/boot.1.2", maxAgeMs: 60_000 });
  };
  expect(await judge()).toMatchObject({ destroy: [], keep: [{ reason: "parent-unknown" }] });
  // A stop build does not make it younger, because its last start counts.
  const [record] = subject.standIn.state.workspaces;
  if (record?.builds[1] !== undefined) record.builds[1].createdMs -= DAY_MS;
  await subject.provider.stop({ id, name: "product-triage-1" }, never);
  expect(await judge()).toMatchObject({ destroy: [{ reason: "parent-unknown-and-old" }] });
});

test("a claimed Coder workspace counts as ready only after its Coder workspace agent has started again", async () => {
  // The agent restarts only when the provider has seen the stage before.
  await using subject = await deployment(
    { ...pooled(), timings: { reinitMs: 600_000, shutdownMs: 600_000 } },
    { preset: "warm", timings: { claimSettleMs: 30_000 } },
  );
  const { standIn } = subject;
  await poolIsReady(standIn);
  const workspace = await created(subject.provider);
  const phases: string[] = [];
  const shell = await workspace.ready(never, (phase) => {
    phases.push(phase);
    if (phase === "claiming") standIn.reinitialise("product-triage-142");
    if (phase === "starting") standIn.state.timings.shutdownMs = 0;
  });
  expect(phases.slice(phases.indexOf("claiming"))).toEqual(["claiming", "starting", "shell"]);
  const result = await shell.exec("printf still-here", { timeoutMs: 30_000 });
  expect(result.type === "exited" ? Buffer.from(result.stdout).toString() : result).toBe("still-here");
});

test("a claimed Coder workspace whose agent never starts again counts as ready after the settling time", async () => {
  await using subject = await deployment(
    { ...pooled(), timings: { reinitMs: 600_000 } },
    { preset: "warm", timings: { claimSettleMs: 30 } },
  );
  await poolIsReady(subject.standIn);
  const workspace = await created(subject.provider);
  const phases: string[] = [];
  await workspace.ready(never, (phase) => phases.push(phase));
  expect(phases.at(-1)).toBe("shell");
});

test("when the Coder workspace agent restarts a second time, the command is repeated and the run does not fail (Coder 2.33 to 2.35)", async () => {
  await using subject = await deployment(pooled(), { preset: "warm" });
  await poolIsReady(subject.standIn);
  const workspace = await created(subject.provider);
  const shell = await workspace.ready(never, () => undefined);
  const mark = `${shell.directory}/began`;
  const work = shell.exec(`if test -e '${mark}'; then printf repeated; else touch '${mark}'; sleep 60; fi`, {
    timeoutMs: 30_000,
  });
  await expect.poll(() => subject.standIn.sessionCount()).toBeGreaterThan(0);
  await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
  subject.standIn.reinitialise("product-triage-142");
  const result = await work;
  expect(result.type === "exited" ? Buffer.from(result.stdout).toString() : result).toBe("repeated");
});
