import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { issueKey } from "../../../src/github/index.ts";
import { type BatchWork, triageWork } from "../../../src/triage/index.ts";
import { openBacklog } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

// The test runs a real batch, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

test("a Triage Run that has ended leaves nothing in memory but its summary (P11)", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  await using stage = await openBacklog(2);
  const held = new Map<string, WeakRef<object>>();
  const hold = (name: string, object: object): void => void held.set(name, new WeakRef(object));
  let kept: string[] = [];
  const triageAgent = askingAgent(async (number) => {
    if (number !== 2) return;
    await setImmediate();
    collectGarbage();
    kept = [...held].flatMap(([name, object]) => (object.deref() === undefined ? [] : [name]));
  });
  const work: BatchWork = {
    ...triageWork,
    select: async (context) => {
      const selection = await triageWork.select(context);
      for (const candidate of selection.candidates)
        hold(`candidate ${candidate.issue.ref.number}`, candidate);
      return selection;
    },
    conclude: (fresh, workspace, record, context, patience) => {
      const { ref } = fresh.issue;
      hold(`record ${ref.number}`, record);
      hold(`stop signal ${ref.number}`, context.stop);
      hold(`owner ${ref.number}`, context.service.find(issueKey(ref)) ?? {});
      return triageWork.conclude(fresh, workspace, record, context, patience);
    },
  };
  await stage.run({ settings: { parallelism: 1 }, ports: { triageAgent }, work });
  expect(kept).toEqual(["candidate 2", "record 2", "stop signal 2", "owner 2"]);
});
