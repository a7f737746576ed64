import { expect, test } from "vitest";
import { planDeletion } from "../../src/workspaces/coder/deletion.ts";

type Facts = NonNullable<Parameters<typeof planDeletion>[0]>;

function building(transition: string, status: string): Facts {
  const job = { status, error: null };
  return { latest_build: { id: "b1", transition, job } } as unknown as Facts;
}
const none = { cancelled: new Set<string>(), deletesStarted: 0, deleteAttempts: 2 };

test.each([
  ["start", "pending", "cancel"],
  ["start", "running", "cancel"],
  ["start", "canceling", "wait"],
  ["start", "canceled", "delete"],
  ["start", "failed", "delete"],
  ["start", "succeeded", "delete"],
  ["delete", "pending", "wait"],
  ["delete", "running", "wait"],
  ["delete", "canceling", "wait"],
  ["delete", "failed", "delete"],
  ["delete", "succeeded", "wait"],
])("the next step for a Coder workspace whose %s build is %s is %s (T5)", (transition, status, step) => {
  expect(planDeletion(building(transition, status), none).type).toBe(step);
});

test("a build is cancelled once in each of its states (T5)", () => {
  const memory = { ...none, cancelled: new Set(["b1:pending"]) };
  expect(planDeletion(building("start", "pending"), memory).type).toBe("wait");
  expect(planDeletion(building("start", "running"), memory).type).toBe("cancel");
});

test("the deletion is abandoned after the allowed number of failed delete builds (T5)", () => {
  const memory = { ...none, deletesStarted: 2 };
  expect(planDeletion(building("delete", "failed"), memory).type).toBe("give-up");
  expect(planDeletion(building("start", "failed"), memory).type).toBe("delete");
  expect(planDeletion(null, memory).type).toBe("gone");
});
