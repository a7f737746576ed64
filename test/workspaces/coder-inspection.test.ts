import { expect, test } from "vitest";
import { applyReap, planReap, parentIdentity } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  connect,
  created,
  deployment,
  LEASE_PARAMETERS,
  never,
  request,
} from "../support/coder/index.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const NAME = "product-triage-142";

/** Returns the verdict of a reaper on another machine about each Coder workspace of the repository. */
async function verdicts(standIn: CoderStandIn, ownParent = "here/1/boot.1.2"): Promise<string[]> {
  const found = await connect(standIn).list("product-triage", never);
  const { keep, destroy } = planReap(found, { ownParent, maxAgeMs: MINUTE_MS });
  return [...keep, ...destroy].map(({ reason }) => reason);
}

/** Creates a Coder workspace that was ready and whose parent is dead. */
async function readyOne(subject: Awaited<ReturnType<typeof deployment>>) {
  const dead = (await parentIdentity()).replace(/^([^/]+)\/\d+\//, "$1/4194304/");
  const workspace = await created(subject.provider, request(NAME, { parent: dead }));
  await workspace.ready(never, () => undefined);
  return workspace;
}

test("keep stores the end time with the Coder workspace, so that every reaper spares it until then and destroys it afterwards (T5)", async () => {
  await using subject = await deployment({}, { keepMs: 2 * HOUR_MS, inspectionGroup: "maintainers" });
  const { standIn, provider } = subject;
  const workspace = await readyOne(subject);
  expect(await verdicts(standIn)).toEqual(["parent-dead"]);
  const kept = await provider.keep(workspace, 2 * HOUR_MS, never);
  expect(kept).toMatchObject({ type: "kept", warnings: [] });
  expect(await verdicts(standIn)).toEqual(["kept-for-inspection"]);
  const [record] = standIn.state.workspaces;
  expect([...(record?.groupRoles ?? [])]).toEqual([[standIn.state.groups.get("maintainers"), "use"]]);
  expect(record?.deadlineMs).toBe(kept.type === "kept" ? kept.untilMs : null);
  standIn.age(NAME, 2 * HOUR_MS - MINUTE_MS);
  expect(await verdicts(standIn)).toEqual(["kept-for-inspection"]);
  standIn.age(NAME, 2 * MINUTE_MS);
  expect(await verdicts(standIn)).toEqual(["inspection-over"]);
  const plan = planReap(await provider.list("product-triage", never), {
    ownParent: "here/1/boot.1.2",
    maxAgeMs: MINUTE_MS,
  });
  await applyReap(plan, provider, never);
  expect(standIn.liveNames()).toEqual([]);
});

test("a person who starts a Coder workspace again does not extend its inspection (T5)", async () => {
  await using subject = await deployment();
  const { standIn, provider } = subject;
  await provider.keep(await readyOne(subject), HOUR_MS, never);
  standIn.age(NAME, HOUR_MS - MINUTE_MS);
  const [record] = standIn.state.workspaces;
  if (record === undefined) throw new Error("nothing was created");
  for (const transition of ["stop", "start"] as const) {
    standIn.state.addBuild(record, transition, "a person of the group");
    await expect.poll(() => (standIn.state.settle(), record.builds.at(-1)?.job)).toBe("succeeded");
  }
  expect(await verdicts(standIn)).toEqual(["kept-for-inspection"]);
  standIn.age(NAME, 3 * MINUTE_MS);
  expect(await verdicts(standIn)).toEqual(["inspection-over"]);
});

test("the inspection of a claimed prebuild counts from now, however old the prebuild is (T5)", async () => {
  const preset = { name: "warm", prebuilds: 1, prebuildAgeMs: 72 * HOUR_MS };
  await using subject = await deployment({
    templates: [{ name: "triage", parameters: LEASE_PARAMETERS, presets: [preset] }],
  });
  const { standIn, provider } = subject;
  standIn.state.settle();
  await expect.poll(() => (standIn.state.settle(), standIn.state.claimableCount())).toBe(1);
  const workspace = await readyOne(subject);
  expect(workspace.origin).toBe("prebuilt");
  const before = Date.now();
  const kept = await provider.keep(workspace, HOUR_MS, never);
  // The server's Date header has a resolution of a second, and a ttl has a resolution of a minute.
  expect(kept.type === "kept" && kept.untilMs).toBeGreaterThanOrEqual(before + HOUR_MS - 1_000);
  expect(kept.type === "kept" && kept.untilMs).toBeLessThanOrEqual(Date.now() + HOUR_MS + MINUTE_MS);
  expect(await verdicts(standIn)).toEqual(["kept-for-inspection"]);
});

test("a mark with a time that this program may not grant, or without a time, does not spare a Coder workspace (T5)", async () => {
  await using subject = await deployment();
  const { standIn, provider } = subject;
  await readyOne(subject);
  const [record] = standIn.state.workspaces;
  if (record === undefined) throw new Error("nothing was created");
  record.isFavorite = true;
  record.ttlMs = 30 * 24 * HOUR_MS;
  expect(await verdicts(standIn)).toEqual(["parent-dead"]);
  record.ttlMs = null;
  expect(await verdicts(standIn)).toEqual(["parent-dead"]);
  expect(await provider.list("product-triage", never)).toMatchObject([{ inspection: "none" }]);
});

test("keep refuses a Coder workspace that does not run, is gone, or whose template forbids its own ttl (T5)", async () => {
  await using subject = await deployment({
    templates: [{ name: "triage", parameters: LEASE_PARAMETERS, allowUserAutostop: false }],
  });
  const workspace = await readyOne(subject);
  const forbidden = await subject.provider.keep(workspace, HOUR_MS, never);
  expect(forbidden).toMatchObject({ type: "not-kept", why: expect.stringContaining("Custom autostop TTL") });
  await subject.provider.stop(workspace, never);
  const stopped = await subject.provider.keep(workspace, HOUR_MS, never);
  expect(stopped).toMatchObject({
    type: "not-kept",
    why: expect.stringContaining("does not run (stop, succeeded)"),
  });
  await subject.provider.destroy(workspace, never);
  const gone = await subject.provider.keep(workspace, HOUR_MS, never);
  expect(gone).toMatchObject({ type: "not-kept", why: expect.stringContaining("is gone") });
  expect(await verdicts(subject.standIn)).toEqual([]);
});

test.each([
  ["the group is unknown", { inspectionGroup: "nobody-knows" }, false, "has no group nobody-knows"],
  ["sharing is switched off", { inspectionGroup: "maintainers" }, true, "sharing is disabled"],
])(
  "keep warns and still keeps the Coder workspace when %s",
  async (_, options, isSharingDisabled, expected) => {
    await using subject = await deployment({}, options);
    subject.standIn.faults.isSharingDisabled = isSharingDisabled;
    const kept = await subject.provider.keep(await readyOne(subject), HOUR_MS, never);
    expect(kept).toMatchObject({ type: "kept", warnings: [expect.stringContaining(expected)] });
    expect(await verdicts(subject.standIn)).toEqual(["kept-for-inspection"]);
  },
);

test("the lease, and therefore the machine, lasts through the inspection", async () => {
  await using subject = await deployment({}, { runDeadlineMs: HOUR_MS, keepMs: 2 * HOUR_MS });
  await created(subject.provider);
  expect(await subject.provider.list("product-triage", never)).toMatchObject([{ holdMs: 3.5 * HOUR_MS }]);
});

test("a kept Coder workspace still holds its name against other parents (T3)", async () => {
  await using subject = await deployment();
  await subject.provider.keep(await readyOne(subject), HOUR_MS, never);
  expect(await subject.provider.create(request(NAME), never)).toMatchObject({ type: "locked" });
  expect(await connect(subject.standIn).create(request(NAME), never)).toMatchObject({ type: "locked" });
});
