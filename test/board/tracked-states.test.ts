import { join } from "node:path";
import { createSession, type Session } from "agent-tty";
import { expect, test } from "vitest";
import {
  type StateDocument,
  type StateSeriesDocument,
  stateDocumentSchema,
  stateSeriesSchema,
} from "../../src/board/index.ts";
import { toolMark } from "../../src/tui/index.ts";
import { PATIENT } from "../agent-tty/engine-fixture.ts";
import { poll } from "../support/batch/poll.ts";
import { type HomeStage, homeStage } from "./home-stage.ts";

const IMITATION = join(import.meta.dirname, "../tui/driver/imitation-claude.mjs");

/** Starts a run whose Triage Agent is an imitation of Claude Code's TUI. */
async function imitation(stage: HomeStage): Promise<{ session: Session; run: string }> {
  const session = await createSession(stage.sessions, {
    command: [process.execPath, IMITATION, "whole", join(stage.directory, "result")],
    cwd: stage.directory,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: stage.directory,
      AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    },
  });
  await session.mark(toolMark({ tool: "claude", observedVersion: "2.1.197" }));
  return { session, run: stage.record(7, [{ type: "session-opened", sessionId: session.id }]) };
}

async function stateOf(stage: HomeStage, run: string): Promise<StateDocument> {
  return stateDocumentSchema.parse(await (await stage.get(`${run}/state`)).json());
}

async function seriesOf(stage: HomeStage, run: string): Promise<StateSeriesDocument> {
  return stateSeriesSchema.parse(await (await stage.get(`${run}/states`)).json());
}

test("the state of a living TUI can be polled, and a recording has a series of state changes (H1, H4, H11)", async () => {
  await using stage = await homeStage();
  const { session, run } = await imitation(stage);
  const shows = (text: string) => session.wait({ text, screenStableMs: 200 }, PATIENT);
  await shows("❯ No, exit");
  const dialog = await poll("the dialog", async () => {
    const found = await stateOf(stage, run);
    return found.type === "tracked" && found.state.shows === "dialog" ? found : null;
  });
  expect(dialog).toMatchObject({
    isLive: true,
    state: {
      availability: "available",
      acceptingInput: "no",
      detector: { family: "claude_code", observedVersion: "2.1.197", profileExtrapolated: false },
    },
  });
  await session.sendKeys(["Down"]);
  await session.sendKeys(["Enter"]);
  await shows("Adding a new directory:");
  await session.sendKeys(["Down"]);
  await session.sendKeys(["Enter"]);
  await shows("? for shortcuts");
  const ready = await poll("the composer", async () => {
    const found = await stateOf(stage, run);
    return found.type === "tracked" && found.state.phase === "ready" ? found.state : null;
  });
  expect(ready.seq).toBeGreaterThan(dialog.type === "tracked" ? dialog.state.seq : 0);
  expect(ready.tMs).toBeLessThan(10 * 60_000);
  // The recording so far has the same states while the TUI runs.
  expect((await seriesOf(stage, run)).states.at(-1)).toMatchObject({ shows: "composer", phase: "ready" });
  await session.destroy({ force: true });
  const series = await seriesOf(stage, run);
  expect(series.isTruncated).toBe(false);
  const line = series.states.map(({ availability, shows: what }) => `${availability} ${what}`);
  expect(line).toContain("available dialog");
  expect(line.at(-1)).toMatch(/^unavailable/);
  const times = series.states.map(({ tMs }) => tMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const gone = await poll("the end", async () => {
    const found = await stateOf(stage, run);
    return found.type === "tracked" && !found.isLive ? found : null;
  });
  expect(gone.state).toEqual(series.states.at(-1));
});

test("the state of a run without a terminal or a TUI is `none` instead of a guess (H1)", async () => {
  await using stage = await homeStage();
  const none = stage.record(8, []);
  expect(await stateOf(stage, none)).toEqual({ type: "none", reason: "the run has no terminal" });
  const shell = await createSession(stage.sessions, {
    command: ["cat"],
    cwd: stage.directory,
    env: { PATH: process.env["PATH"] ?? "", AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "" },
  });
  const run = stage.record(9, [{ type: "session-opened", sessionId: shell.id }]);
  expect(await stateOf(stage, run)).toMatchObject({
    type: "none",
    reason: expect.stringContaining("which TUI") as string,
  });
  await shell.destroy();
  expect((await seriesOf(stage, run)).states).toEqual([]);
  const lost = stage.record(10, [{ type: "session-opened", sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG" }]);
  expect(await stateOf(stage, lost)).toMatchObject({ type: "none" });
  expect((await stage.get(`${lost}/recording`)).status).toBe(404);
});
