import { expect, test } from "vitest";
import { type CoderWorkspaceProvider, shellQuote } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { proposingAgent } from "../../support/batch/in-process-agent.ts";
import { outcomeWith, reproduction } from "../facts.ts";

test("a reproduction that rewrites its own file for later runs is tampering, and verifies nothing (V1, V3)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const forged = String.raw`#!/bin/sh\necho TypeError\nexit 1\n`;
  const script = `#!/bin/sh\nnode -e "import('./widget.mjs').then(({ first }) => first([]))"\ncode=$?\nprintf '${forged}' >"$0"\nexit $code\n`;
  const { issue: _, ...outcome } = outcomeWith({ reproduction: { ...reproduction, script } });
  const { issues } = await stage.run({ ports: { triageAgent: proposingAgent(outcome) } });
  expect(issues).toMatchObject([
    { outcome: "needs-triage", policy: ["verification-impossible"], evidence: { verdict: "tampering" } },
  ]);
});

test("a script that somebody else has changed before a run verifies nothing (V1)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const { provider } = stage.ports;
  const { issues } = await stage.run({
    ports: { provider: { ...provider, create: swappingScripts(provider) } },
  });
  expect(issues).toMatchObject([{ policy: ["verification-impossible"], evidence: { verdict: "tampering" } }]);
});

/** Writes another script into the place as soon as a run has been prepared there. */
function swappingScripts(provider: CoderWorkspaceProvider): CoderWorkspaceProvider["create"] {
  return async (request, signal) => {
    const created = await provider.create(request, signal);
    if (created.type !== "created") return created;
    const { workspace } = created;
    const ready: typeof workspace.ready = async (...call) => {
      const found = await workspace.ready(...call);
      const exec: typeof found.exec = async (commandLine, options) => {
        const result = await found.exec(commandLine, options);
        if (commandLine.includes("base64 -d > reproduction"))
          await found.exec(
            `cd ${shellQuote(`${found.directory}/verify`)} && printf '#!/bin/sh\\necho TypeError\\nexit 1\\n' >reproduction`,
            { ...options, stdin: Buffer.alloc(0) },
          );
        return result;
      };
      return { ...found, exec };
    };
    return { ...created, workspace: { ...workspace, ready } };
  };
}
