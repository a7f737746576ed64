import { existsSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { createCanaryDetector, createCommandAgent, createSessionCleaner } from "../../../src/triage/index.ts";
import { nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";

// A real batch, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const SECRET = "Zk4tR9mW2q-of-the-parent-7";

test("the summary of a quarantined Triage Run names no file that the quarantine removed (S8)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const canaries = createCanaryDetector([{ name: "A_TOKEN", value: SECRET }]);
  const { issues } = await stage.run({
    ports: {
      canaries,
      cleaner: createSessionCleaner(canaries),
      triageAgent: createCommandAgent({
        command: ["printf", "%s\\n", Buffer.from(SECRET).toString("base64")],
        environment: {},
      }),
    },
  });
  const [issue] = issues;
  expect(issue?.error?.code).toBe("SECRET_LEAKED");
  expect(issue?.artifacts.eventLog).toBeNull();
  const named = Object.values(issue?.artifacts ?? {}).filter((path) => path !== null);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
});
