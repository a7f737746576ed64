import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { noUsage, type TriageAgent } from "../../../src/triage/index.ts";
import { toolMark } from "../../../src/tui/index.ts";
import { type BatchChange, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const HOUR_MS = 60 * 60_000;

/** A Triage Agent that costs money and leaves no outcome. */
const crashing: TriageAgent = {
  ...askingAgent(),
  run: () => Promise.resolve({ type: "finished", exitCode: 1, usage: noUsage }),
};

/** Opens a stage with one issue. `batch` waits, runs one batch in the same home, and returns the issue's line in the summary. */
async function openHistory() {
  const stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const batch = async (
    waitedMs: number,
    triageAgent: TriageAgent,
    change: BatchChange = {},
  ): Promise<string> => {
    stage.advance(waitedMs);
    const { issues } = await stage.run({ ...change, ports: { ...change.ports, triageAgent } });
    return issues.map(({ status, reason }) => `${status} ${reason}`).join();
  };
  return { ...stage, ref, batch };
}

const FAILED = "failed triage-agent-failed";
const WAITS = "skipped failed-recently";
const APPLIED = "applied needs-triage";

test.concurrent("an issue whose Triage Agent fails is not triaged in every batch, but waits longer each time (S14, T9)", async () => {
  await using history = await openHistory();
  const { batch } = history;
  expect(await batch(0, crashing)).toBe(FAILED);
  expect(await batch(HOUR_MS - 60_000, forbiddenAgent)).toBe(WAITS);
  expect(await batch(2 * 60_000, crashing)).toBe(FAILED);
  expect(await batch(2 * HOUR_MS, forbiddenAgent)).toBe(WAITS);
  expect(await batch(2 * HOUR_MS, askingAgent())).toBe(APPLIED);
});

/** A TUI of this version that shows a dialog without a known answer. */
const atDialog = (version: string, started: string[]): TriageAgent => ({
  ...askingAgent(),
  tui: { tool: "claude", version: () => Promise.resolve(version) },
  run: async ({ session }) => {
    started.push(version);
    await session.mark(toolMark({ tool: "claude", observedVersion: version }));
    const visibleText = "A question of a later version\n ❯ No, exit";
    return { type: "blocked", cause: "unknown-dialog", reason: "a dialog", visibleText, usage: noUsage };
  },
});

test.concurrent("an issue whose Triage Agent ended at an unknown dialog gets no new Triage Agent before the version changes (T9, C4)", async () => {
  await using history = await openHistory();
  const { batch, ref } = history;
  const started: string[] = [];
  const UNKNOWN = "failed triage-agent-dialog-unknown";
  const named = { settings: { onlyIssues: [ref.number] } };
  expect(await batch(0, atDialog("2.1.400", started))).toBe(UNKNOWN);
  const [newest] = history.store.runsOfIssue(ref.repo, ref.number, 1);
  expect(newest?.progress).toMatchObject({
    end: { error: { message: expect.stringContaining("A question of a later version") as string } },
  });
  expect(await batch(60_000, forbiddenAgent)).toBe(WAITS);
  expect(await batch(HOUR_MS, atDialog("2.1.400", started))).toBe(UNKNOWN);
  // That refusal has cost a Coder workspace, so the next attempt waits longer.
  expect(await batch(2 * HOUR_MS, forbiddenAgent)).toBe(WAITS);
  expect(await batch(3 * HOUR_MS, atDialog("2.1.400", started))).toBe(UNKNOWN);
  expect(started).toEqual(["2.1.400"]);
  expect(await batch(0, atDialog("2.1.400", started), named)).toBe(UNKNOWN);
  expect(await batch(20 * 24 * HOUR_MS, atDialog("2.1.401", started))).toBe(UNKNOWN);
  expect(started).toEqual(["2.1.400", "2.1.400", "2.1.401"]);
});

test.concurrent("a person's comment ends the wait, a bot's does not, and --issue skips it (S14, T9)", async () => {
  await using history = await openHistory();
  const { batch, github, ref } = history;
  const named = { settings: { onlyIssues: [ref.number] } };
  expect(await batch(0, crashing)).toBe(FAILED);
  await github.comment(ref, worldPeople.viewer, "still looking");
  expect(await batch(60_000, forbiddenAgent)).toBe(WAITS);
  expect(await batch(0, crashing, named)).toBe(FAILED);
  history.advance(60_000);
  await github.comment(ref, worldPeople.reporter, "Here is more.");
  expect(await batch(60_000, crashing)).toBe(FAILED);
  expect(await batch(60_000, forbiddenAgent)).toBe(WAITS);
  await github.editIssue(ref, worldPeople.reporter, { body: "It breaks with version 2." });
  expect(await batch(60_000, askingAgent())).toBe(APPLIED);
});

test.concurrent("an issue that failed before a Triage Agent started is tried again at once (S14, T9)", async () => {
  await using history = await openHistory();
  const { batch, provider } = history;
  const error = new OperationalError({ code: "WORKSPACE_BUILD_FAILED", message: "no disk", remedy: "wait" });
  const refusing = { ports: { provider: { ...provider, create: () => Promise.reject(error) } } };
  for (let at = 0; at < 4; at += 1)
    expect(await batch(0, forbiddenAgent, refusing)).toBe("failed workspace-build-failed");
  expect(await batch(0, askingAgent())).toBe(APPLIED);
});
