import { shellQuote } from "agent-tty/kit";
import { expect, test } from "vitest";
import type { CoderWorkspaceProvider } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { providerWithExec } from "../../support/batch/provider-with-exec.ts";
import { outcomeWith, reproduction } from "../facts.ts";

test("a reproduction that rewrites its own file for later runs is tampering, and verifies nothing (V1, V3)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const forged = String.raw`#!/bin/sh\necho TypeError\nexit 1\n`;
  const script = `#!/bin/sh\nnode -e "import('./widget.mjs').then(({ first }) => first([]))"\ncode=$?\nprintf '${forged}' >"$0"\nexit $code\n`;
  const { issue: _, ...outcome } = outcomeWith({ reproduction: { ...reproduction, script } });
  const { issues } = await stage.run({ ports: { triageAgent: proposingAgent(outcome) } });
  expect(issues).toMatchObject([
    { outcome: "needs-triage", policy: ["reproduction-unproven"], evidence: { verdict: "tampering" } },
  ]);
});

test("a script that somebody else has changed before a run verifies nothing (V1)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const { issues } = await stage.run({ ports: { provider: swappingScripts(stage.ports.provider) } });
  expect(issues).toMatchObject([{ policy: ["reproduction-unproven"], evidence: { verdict: "tampering" } }]);
});

/** A provider that writes another script into the place as soon as a run has been prepared there. */
function swappingScripts(provider: CoderWorkspaceProvider): CoderWorkspaceProvider {
  return providerWithExec(provider, (exec, { directory }) => async (commandLine, options) => {
    const result = await exec(commandLine, options);
    if (commandLine.includes('"$script" > reproduction'))
      await exec(
        `cd ${shellQuote(`${directory}/verify`)} && for one in reproduction desks/*/reproduction; do if [ -e "$one" ]; then printf '#!/bin/sh\\necho TypeError\\nexit 1\\n' >"$one"; fi; done`,
        { ...options, stdin: Buffer.alloc(0) },
      );
    return result;
  });
}

test("a script whose hash differs from the one in the checkpoint is not run (V1)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const provider = { ...stage.ports.provider, leaseState: () => Promise.resolve("unknown" as const) };
  const first = await stage.run({ ports: { provider } });
  expect(first.issues).toMatchObject([{ status: "requeued" }]);
  const kept = await stage.ports.checkpoints.read(ref);
  if (kept?.outcome.type !== "file") throw new Error("no outcome was kept");
  expect(kept.scriptHash).toMatch(/^[0-9a-f]{64}$/);
  const text = kept.outcome.text.replace("#!/bin/sh", "#!/bin/sh -e");
  expect(text).not.toBe(kept.outcome.text);
  await stage.ports.checkpoints.save({ ...kept, outcome: { type: "file", text } });
  const { issues } = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(issues).toMatchObject([{ policy: ["verification-impossible"], evidence: null }]);
});
