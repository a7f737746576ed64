import { expect, test } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

test("O17: a run is spawned in order: its row, its Coder workspace, its Session, and only then its Triage Agent, each stored first", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  const order: unknown[] = [];
  const note = (what: string): void => {
    const facts = stage.store.latestRun(repo, 1);
    if (facts === null) return void order.push([what, null]);
    const { coderWorkspace, sessionId, activity, runState } = facts;
    const isSpawned = activity.spawnedAtMs !== null;
    order.push([what, coderWorkspace.state, sessionId !== null, isSpawned, runState.state]);
  };
  const { provider } = stage.ports;
  const watched: typeof provider = {
    ...provider,
    create: async (request, signal) => {
      note("create");
      const result = await provider.create(request, signal);
      if (result.type === "locked") return result;
      const { workspace } = result;
      const ready: typeof workspace.ready = async (...args) => {
        note("wait for it");
        const machine = await workspace.ready(...args);
        return {
          ...machine,
          exec: (...call) => machine.exec(...call),
          terminal: (request_) => {
            note("open a terminal");
            return machine.terminal(request_);
          },
        };
      };
      return { type: "created", workspace: { id: workspace.id, name: workspace.name, ready } };
    },
  };
  const triageAgent = askingAgent(() => note("work"));
  await stage.run({ ports: { provider: watched, triageAgent } });
  expect(order.slice(0, 4)).toEqual([
    ["create", "creating", false, false, "idle"],
    ["wait for it", "creating", false, false, "idle"],
    ["open a terminal", "ready", false, false, "idle"],
    ["work", "ready", true, true, "running"],
  ]);
  const { coderWorkspace, sessionId } = stage.store.latestRun(repo, 1) ?? {};
  expect({ id: coderWorkspace?.id, sessionId }).toEqual({
    id: expect.any(String) as string,
    sessionId: expect.stringMatching(/^[0-9A-Z]{26}$/) as string,
  });
});
