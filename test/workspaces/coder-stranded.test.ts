import { expect, test } from "vitest";
import {
  applyReap,
  type CreateRequest,
  type LeasedWorkspace,
  parentIdentity,
  planReap,
} from "../../src/workspaces/index.ts";
import { type CoderStandIn, connect, created, deployment, never, request } from "../support/coder/index.ts";

/** Returns the reaping decisions of the parent itself and of another parent. */
async function verdicts({ provider, standIn }: Awaited<ReturnType<typeof deployment>>, parent: string) {
  const verdict = (facts: LeasedWorkspace[], ownParent: string) => {
    const { destroy, keep } = planReap(facts, { ownParent, maxAgeMs: 3_600_000 });
    return [...destroy, ...keep].map(({ reason }) => reason).join();
  };
  return {
    own: verdict(await provider.list("product-triage", never), parent),
    others: verdict(await connect(standIn).list("product-triage", never), "elsewhere/1/1"),
  };
}

/** Returns the request of a later run of the same process. */
const later = (parent: string): CreateRequest => request(undefined, { parent, runId: "20260203T030405Z" });

test("only the living parent reaps a Coder workspace that it could not delete, and then the name is free again (T5)", async () => {
  const parent = await parentIdentity();
  await using subject = await deployment({}, { timings: { deleteAttempts: 1 } });
  const { provider, standIn } = subject;
  standIn.faults.failingDeletes = 1;
  const { id, name } = await created(provider, request(undefined, { parent }));
  expect(await verdicts(subject, parent)).toEqual({ own: "ours", others: "parent-alive" });
  finishBuilds(standIn);
  expect((await provider.destroy({ id, name }, never)).type).toBe("stranded");
  expect(await verdicts(subject, parent)).toEqual({ own: "stranded", others: "parent-alive" });
  expect(await provider.create(later(parent), never)).toMatchObject({ type: "locked" });
  const plan = planReap(await provider.list("product-triage", never), { ownParent: parent, maxAgeMs: 1 });
  const [reaped] = await applyReap(plan, provider, never);
  expect(reaped).toMatchObject({ reason: "stranded", result: { type: "destroyed" } });
  expect((await provider.create(later(parent), never)).type).toBe("created");
  expect(await verdicts(subject, parent)).toEqual({ own: "ours", others: "parent-alive" });
});

test("a parent can use the name of a Coder workspace that it could not delete, once a person has deleted it (T5)", async () => {
  const parent = await parentIdentity();
  await using subject = await deployment({}, { timings: { deleteAttempts: 1 } });
  const { provider, standIn } = subject;
  standIn.faults.failingDeletes = 1;
  const { id, name } = await created(provider, request(undefined, { parent }));
  finishBuilds(standIn);
  expect((await provider.destroy({ id, name }, never)).type).toBe("stranded");
  standIn.state.workspaces.splice(0);
  const both = [provider.create(later(parent), never), provider.create(later(parent), never)];
  const types = (await Promise.all(both)).map(({ type }) => type);
  expect(types.toSorted()).toEqual(["created", "locked"]);
});

test.each(["after", "before"] as const)(
  "a create that may have happened (its answer was lost %s it took effect) is reaped by its own parent, or its name is free again (T5)",
  async (effect) => {
    const parent = await parentIdentity();
    await using subject = await deployment();
    const { provider, standIn } = subject;
    const { answers } = standIn.faults;
    answers.push({ method: "POST", path: /workspaces$/, times: 1, effect, answer: "drop" });
    answers.push({ method: "GET", path: /workspace\//, times: 1000, effect: "before", answer: "drop" });
    await expect(provider.create(request(undefined, { parent }), never)).rejects.toMatchObject({
      code: "WORKSPACE_STRANDED",
    });
    answers.splice(0);
    const facts = await provider.list("product-triage", never);
    const plan = planReap(facts, { ownParent: parent, maxAgeMs: 3_600_000 });
    expect(plan.destroy.map(({ reason }) => reason)).toEqual(effect === "after" ? ["stranded"] : []);
    await applyReap(plan, provider, never);
    expect((await provider.create(later(parent), never)).type).toBe("created");
  },
);

function finishBuilds({ state }: CoderStandIn): void {
  for (const { builds } of state.workspaces) for (const build of builds) build.job = "succeeded";
}
