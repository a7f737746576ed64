import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { parentIdentity, planReap } from "../../src/workspaces/index.ts";
import {
  connect,
  created,
  deployment,
  LEASE,
  LEASE_PARAMETERS,
  never,
  pushVersion,
  request,
} from "../support/coder/index.ts";

test.each([
  ["", false],
  [", also when the server ignores the search", true],
])(
  "list returns only Coder workspaces with our owner, template and exact name prefix%s (coder failure 13, S15)",
  async (_, lenientSearch) => {
    await using subject = await deployment({
      templates: [
        { name: "triage", parameters: LEASE_PARAMETERS },
        { name: "triage-old", parameters: LEASE_PARAMETERS },
      ],
    });
    const { standIn, provider } = subject;
    standIn.faults.lenientSearch = lenientSearch;
    for (let number = 1; number <= 120; number += 1) standIn.seed({ name: `product-triage-${number}` });
    standIn.seed({ name: "product-triage-notes" });
    standIn.seed({ name: "product-triage" });
    standIn.seed({ name: "my-product-triage-7" });
    standIn.seed({ name: "product-triage-500", isForeign: true });
    standIn.seed({ name: "product-triage-501", template: "triage-old" });
    const found = await provider.list("product-triage", never);
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      Array.from({ length: 120 }, (_, index) => `product-triage-${index + 1}`).toSorted(),
    );
    expect(await provider.list("product-triage-1", never)).toEqual([]);
  },
);

test("list measures ages by the server's clock, and a lease shows whether its parent is alive (coder failure 24, S15)", async () => {
  await using subject = await deployment();
  const { standIn, provider } = subject;
  await created(provider, request("product-triage-1", { parent: await parentIdentity() }));
  const dead = (await parentIdentity()).replace(/^([^/]+)\/\d+\//, "$1/4194304/");
  await created(provider, request("product-triage-2", { parent: dead }));
  standIn.seed({ name: "product-triage-3", ageMs: 3_600_000 });
  const found = await provider.list("product-triage", never);
  const facts = found.map(({ name, lease, parentState }) => [name, lease?.runId ?? null, parentState]);
  expect(facts).toEqual([
    ["product-triage-1", LEASE.runId, "alive"],
    ["product-triage-2", LEASE.runId, "dead"],
    ["product-triage-3", null, "unknown"],
  ]);
  expect(found[0]?.ageMs).toBeLessThan(60_000);
  // The Date header has a resolution of one second.
  expect(found[2]?.ageMs).toBeGreaterThan(3_598_000);
});

test("the reaper can list although no create would succeed (coder failure 13)", async () => {
  await using subject = await deployment({}, { preset: "gone", binary: "/nowhere/coder" });
  subject.standIn.seed({ name: "product-triage-1" });
  expect(await subject.provider.list("product-triage", never)).toMatchObject([{ name: "product-triage-1" }]);
});

test("list reads a lease back as it was written (S15)", async () => {
  await using subject = await deployment({}, { repoUrl: (repo) => `ssh://git@ghe.example:22/${repo}.git` });
  await created(subject.provider);
  expect(await subject.provider.list("product-triage", never)).toMatchObject([{ lease: LEASE }]);
});

test("the lease, or else the ttl, states how long a parent on another machine may hold its Coder workspace (T11, S15)", async () => {
  await using subject = await deployment({}, { runDeadlineMs: 3 * 3_600_000 });
  await created(subject.provider);
  const [listed] = await subject.provider.list("product-triage", never);
  expect(listed?.holdMs).toBe(3.5 * 3_600_000);
  await using bare = await deployment(
    { templates: [{ name: "triage", parameters: [{ name: "run_id" }] }] },
    { runDeadlineMs: 3 * 3_600_000 },
  );
  await created(bare.provider);
  expect(await bare.provider.list("product-triage", never)).toMatchObject([{ holdMs: 3.5 * 3_600_000 }]);
  bare.standIn.seed({ name: "product-triage-7", parameters: { run_id: "x", afk_lease_seconds: "soon" } });
  const facts = await bare.provider.list("product-triage", never);
  expect(facts.map(({ holdMs }) => holdMs)).toEqual([3.5 * 3_600_000, null]);
});

test("a reaper with a short run deadline spares the Coder workspace of a live parent on another machine (T11, T5)", async () => {
  await using subject = await deployment({}, { runDeadlineMs: 3 * 3_600_000 });
  const { id } = await created(
    subject.provider,
    request("product-triage-1", { parent: "elsewhere/1/boot.1.1" }),
  );
  const [record] = subject.standIn.state.workspaces;
  if (record === undefined) throw new Error("nothing was created");
  const judge = async () =>
    planReap(await connect(subject.standIn, { runDeadlineMs: 60_000 }).list("product-triage", never), {
      ownParent: "here/1/boot.1.2",
      maxAgeMs: 60_000,
    });
  record.createdMs -= 3 * 3_600_000;
  expect(await judge()).toMatchObject({ destroy: [], keep: [{ reason: "parent-unknown" }] });
  record.createdMs -= 3_600_000;
  expect(await judge()).toMatchObject({ destroy: [{ workspace: { id }, reason: "parent-unknown-and-old" }] });
});

test("a parent whose clock is wrong by days sees the same ages, and without the server's time nothing is old (coder failure 24)", async () => {
  await using subject = await deployment();
  subject.standIn.seed({ name: "product-triage-3", ageMs: 3_600_000 });
  const skewedMs = 10 * 24 * 3_600_000;
  for (const offsetMs of [skewedMs, -skewedMs]) {
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + offsetMs };
    const [listed] = await connect(subject.standIn, { clock }).list("product-triage", never);
    expect(listed?.ageMs).toBeGreaterThan(3_590_000);
    expect(listed?.ageMs).toBeLessThan(3_700_000);
  }
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await globalThis.fetch(...request);
    const headers = new Headers(response.headers);
    headers.delete("date");
    return new Response(response.body, { status: response.status, headers });
  };
  expect(await connect(subject.standIn, { fetch }).list("product-triage", never)).toMatchObject([
    { ageMs: 0 },
  ]);
});

test("an old Coder workspace without a run id is kept when its template declares one (S15)", async () => {
  await using subject = await deployment();
  const { standIn, provider } = subject;
  standIn.seed({ name: "product-triage-3", ageMs: 30 * 24 * 3_600_000 });
  const plan = planReap(await provider.list("product-triage", never), { ownParent: "us", maxAgeMs: 60_000 });
  expect(plan.destroy).toEqual([]);
  expect(plan.keep.map(({ reason }) => reason)).toEqual(["no-run-id"]);
});

test("whether an old Coder workspace could carry a lease depends on the version that built it, not on the active one (S15, T5, coder failure 13)", async () => {
  const template = { name: "triage", parameters: [] };
  await using subject = await deployment({ templates: [template] });
  const { standIn, provider } = subject;
  const days = 24 * 3_600_000;
  await created(provider, request("product-triage-1"));
  standIn.age("product-triage-1", 30 * days);
  pushVersion(standIn, LEASE_PARAMETERS);
  standIn.seed({ name: "product-triage-2", ageMs: 30 * days });
  pushVersion(standIn, []);
  const facts = await connect(standIn).list("product-triage", never);
  const { destroy, keep } = planReap(facts, { ownParent: "us", maxAgeMs: 60_000 });
  expect(destroy).toMatchObject([
    { workspace: { name: "product-triage-1" }, reason: "lease-unreadable-and-old" },
  ]);
  expect(keep).toMatchObject([{ workspace: { name: "product-triage-2" }, reason: "no-run-id" }]);
});
