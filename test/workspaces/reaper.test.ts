import { OperationalError } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import {
  applyReap,
  type CoderWorkspaceProvider,
  type DestroyResult,
  type LeasedWorkspace,
  planReap,
} from "../../src/workspaces/index.ts";

const OURS = "here/1/100";
const MAX_AGE_MS = 60_000;
const { signal } = new AbortController();

describe("planReap (T5, S15)", () => {
  const check = (facts: Partial<LeasedWorkspace>, expected: string) => {
    const workspace = leased(facts);
    test(`${workspace.lease?.parent ?? "no lease"}, ${workspace.parentState}, ${workspace.ageMs} of ${workspace.holdMs} ms, inspection ${workspace.inspection}: ${expected}`, () => {
      const plan = planReap([workspace], { ownParent: OURS, maxAgeMs: MAX_AGE_MS });
      const words = [
        ...plan.destroy.map(({ reason }) => `destroy ${reason}`),
        ...plan.keep.map(({ reason }) => `keep ${reason}`),
      ];
      expect(words).toEqual([expected]);
    });
  };

  check({ parentState: "dead" }, "destroy parent-dead");
  check({ parentState: "dead", lease: null }, "destroy parent-dead");
  check({ parentState: "alive", ageMs: MAX_AGE_MS * 100 }, "keep parent-alive");
  check({ parentState: "unknown", ageMs: MAX_AGE_MS }, "keep parent-unknown");
  check({ parentState: "unknown", ageMs: MAX_AGE_MS + 1 }, "destroy parent-unknown-and-old");
  check({ parentState: "unknown", holdMs: MAX_AGE_MS * 5, ageMs: MAX_AGE_MS * 5 }, "keep parent-unknown");
  check(
    { parentState: "unknown", holdMs: MAX_AGE_MS * 5, ageMs: MAX_AGE_MS * 5 + 1 },
    "destroy parent-unknown-and-old",
  );
  for (const parentState of ["alive", "dead", "unknown"] as const)
    for (const parent of [OURS, "elsewhere/1/1"]) {
      const facts = { parentState, lease: lease(parent), ageMs: MAX_AGE_MS * 100 };
      check({ ...facts, inspection: "under-way" }, "keep kept-for-inspection");
      check({ ...facts, inspection: "over" }, "destroy inspection-over");
    }
  check({ parentState: "unknown", holdMs: 1, ageMs: MAX_AGE_MS }, "keep parent-unknown");
  check({ parentState: "dead", holdMs: MAX_AGE_MS * 5 }, "destroy parent-dead");
  check({ parentState: "unknown", lease: null, ageMs: MAX_AGE_MS }, "keep lease-unreadable");
  check({ parentState: "unknown", lease: null, ageMs: MAX_AGE_MS + 1 }, "destroy lease-unreadable-and-old");
  check({ parentState: "dead", lease: null, couldCarryLease: true }, "destroy parent-dead");
  check(
    { parentState: "unknown", lease: null, couldCarryLease: true, ageMs: MAX_AGE_MS * 100 },
    "keep no-run-id",
  );
  for (const parentState of ["alive", "dead", "unknown"] as const)
    check({ parentState, lease: lease(OURS), ageMs: MAX_AGE_MS * 100 }, "keep ours");
  check({ parentState: "alive", lease: lease(OURS), isStranded: true }, "destroy stranded");
});

describe("applyReap (T5)", () => {
  test("a Coder workspace that cannot be destroyed does not prevent the destruction of the rest", async () => {
    const plan = planReap(
      ["a-1", "b-2", "c-3"].map((name) => leased({ id: `id of ${name}`, name, parentState: "dead" })),
      { ownParent: OURS, maxAgeMs: MAX_AGE_MS },
    );
    const error = new OperationalError({ code: "CODER_UNREACHABLE", message: "seen", remedy: "do" });
    const provider = destroying(async ({ name }) => {
      if (name === "b-2") throw error;
      return { type: "destroyed" };
    });
    const reaped = await applyReap(plan, provider, signal);
    expect(reaped.map(({ workspace, reason, result }) => [workspace.name, reason, result])).toEqual([
      ["a-1", "parent-dead", { type: "destroyed" }],
      ["b-2", "parent-dead", { type: "stranded", error }],
      ["c-3", "parent-dead", { type: "destroyed" }],
    ]);
  });

  test("applyReap destroys five Coder workspaces at a time", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `x-triage-${index + 1}`);
    const facts = names.map((name) => leased({ id: name, name, parentState: "dead" }));
    const plan = planReap(facts, { ownParent: OURS, maxAgeMs: MAX_AGE_MS });
    let [running, peak] = [0, 0];
    const provider = destroying(async () => {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      running -= 1;
      return { type: "destroyed" };
    });
    const reaped = await applyReap(plan, provider, signal);
    expect(reaped.map(({ workspace }) => workspace.name)).toEqual(names);
    expect(peak).toBe(5);
  });

  test("applyReap stops at the signal", async () => {
    const plan = planReap([leased({ parentState: "dead" })], { ownParent: OURS, maxAgeMs: MAX_AGE_MS });
    const provider = destroying(() => Promise.reject(new Error("was not to be called")));
    await expect(applyReap(plan, provider, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});

function leased(facts: Partial<LeasedWorkspace>): LeasedWorkspace {
  return {
    id: "i",
    name: "x-triage-1",
    lease: lease("here/2/200"),
    couldCarryLease: false,
    ageMs: 0,
    holdMs: null,
    parentState: "alive",
    inspection: "none",
    isStranded: false,
    ...facts,
  };
}

function lease(parent: string) {
  return { runId: "20260102T030405Z", issueKey: "octo/x#1", parent };
}

function destroying(
  destroy: (target: { id: string; name: string }) => Promise<DestroyResult>,
): CoderWorkspaceProvider {
  const unused = (): never => {
    throw new Error("applyReap only destroys");
  };
  return {
    kind: "local",
    preflight: unused,
    create: unused,
    list: unused,
    leaseState: unused,
    stop: unused,
    keep: unused,
    destroy,
  };
}
