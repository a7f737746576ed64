import { expect, test } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { providerWithExec } from "../../support/batch/provider-with-exec.ts";
import { connect, startCoderStandIn } from "../../support/coder/index.ts";

test("preparing a checkout again after a lost answer does not count as tampering (T12, V3)", async () => {
  await using stage = await openBatchStage();
  await using standIn = await startCoderStandIn();
  await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  let prepared = 0;
  const provider = providerWithExec(connect(standIn), (exec) => async (commandLine, options) => {
    const result = await exec(commandLine, options);
    if (!commandLine.includes("cp -a --reflink")) return result;
    prepared += 1;
    // The exchange policy does the same when the end of an exchange was lost.
    return prepared === 3 ? exec(commandLine, options) : result;
  });
  const { issues } = await stage.run({ ports: { provider } });
  expect(issues).toMatchObject([
    { status: "applied", outcome: "ready-for-agent", policy: ["reproduction-verified"] },
  ]);
  expect(prepared).toBeGreaterThan(6);
  expect(standIn.liveNames()).toEqual([]);
}, 120_000);
