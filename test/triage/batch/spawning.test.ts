import { expect, test } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { providerWithExec } from "../../support/batch/provider-with-exec.ts";
import { type BatchSummary, createCommandAgent } from "../../../src/triage/index.ts";
import { askingAgent, question } from "../../support/batch/in-process-agent.ts";

test("a spawn creates the run's row, its Coder workspace, its Session, and only then its Triage Agent, and stores each step first (O17)", async () => {
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
      return { type: "created", workspace: { ...workspace, ready } };
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

const proposing = [
  "bash",
  "-c",
  `printf %s '${JSON.stringify(question(1))}' >"$AFK_TRIAGE_OUTCOME_FILE"`,
] as const;

test("besides its Session, a Triage Run starts two programs: one writes the files from which the Triage Agent starts, one reads the outcome (P11)", async () => {
  expect(await worked(proposing, [])).toEqual({ line: "applied needs-triage", starts: 2 });
});

test("a set-up can neither read nor change the files from which the Triage Agent starts, because they are written after it (P11, S12)", async () => {
  const setup = ["! test -e ../control/triage-agent.sh", "echo exit 1 >../control/triage-agent.sh"];
  expect(await worked(proposing, setup)).toEqual({ line: "applied needs-triage", starts: 3 });
});

test("a Triage Agent missing in the Coder workspace is reported the same way before and after the set-up (P11, A31)", async () => {
  const line = "failed triage-agent-unavailable";
  expect(await worked(["no-such-program"], [])).toEqual({ line, starts: 1 });
  // The last program harvests what the set-up has changed.
  expect(await worked(["no-such-program"], ["true"])).toEqual({ line, starts: 3 });
});

/**
 * Returns the result of one issue, and the number of programs that the parent started in its Coder workspace besides the
 * Session's shell.
 */
async function worked(command: readonly [string, ...string[]], setup: string[]): Promise<unknown> {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "one", labels: ["needs-triage"] });
  let starts = 0;
  const counting = providerWithExec(stage.ports.provider, (exec) => (...call) => {
    starts += 1;
    return exec(...call);
  });
  const { checkout } = stage.settings;
  const summary = await stage.run({
    settings: { checkout: { ...checkout, setup } },
    ports: { provider: counting, triageAgent: createCommandAgent({ command, environment: {} }) },
  });
  return { line: lineOf(summary), starts };
}

function lineOf({ issues }: BatchSummary): string {
  return issues.map(({ status, reason }) => `${status} ${reason}`).join(", ");
}
