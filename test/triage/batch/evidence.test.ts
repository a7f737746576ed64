import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../support/batch/in-process-agent.ts";

/** Has the form of a GitHub token, but is not one. */
const TOKEN = `ghp_${"Ab1Cd2Ef3".repeat(4)}`;

test.concurrent.each(["success", "failure"])(
  "a Coder workspace is deleted before the output of its Session is cleaned, and the timings include the cleaning: %s (S11, S18, T5)",
  async (end) => {
    await using stage = await openBatchStage();
    await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    const { provider, sessionHome } = stage.ports;
    let directory = "";
    const output = (): Promise<string> => readFile(join(directory, "output.bin"), "latin1");
    const atDestroy: string[] = [];
    const summary = await stage.run({
      ports: {
        triageAgent: askingAgent(async (_number, { session, signal }) => {
          ({ directory } = session);
          await session.run(`echo ${TOKEN}; seq 1 100000`, { callerTimeoutMs: 20_000, signal });
          if (end === "failure") {
            stage.expire((durationMs) => durationMs === stage.settings.runDeadlineMs);
            await waitFor(signal);
          }
        }),
        provider: {
          ...provider,
          create: (...call) => provider.create(...call),
          destroy: async (...call) => {
            if (directory !== "") atDestroy.push(await output());
            return provider.destroy(...call);
          },
        },
      },
    });
    const [issue] = summary.issues;
    expect(issue).toMatchObject({ status: end === "success" ? "applied" : "failed" });
    expect(atDestroy).toHaveLength(1);
    expect(atDestroy[0]).toContain(TOKEN);
    expect(await output()).not.toContain(TOKEN);
    expect(await readFile(issue?.artifacts.recording ?? "", "utf8")).not.toContain(TOKEN);
    expect(issue?.timings.cleanMs).toBeGreaterThan(0);
    expect(await stage.left()).toEqual(nothingLeft);
    expect(await sessionHome.listManifests()).toHaveLength(1);
  },
);
