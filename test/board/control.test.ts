import { expect, test } from "vitest";
import {
  controlDirectory,
  type RunOwner,
  RunService,
  selectedTriageRun,
  serveControl,
} from "../../src/runs/index.ts";
import { systemClock } from "agent-tty/kit";
import { parentIdentity } from "../../src/workspaces/index.ts";
import { fakeRunner } from "../runs/owner-fixture.ts";
import { BATCH, type HomeStage, homeStage } from "./home-stage.ts";
import { readChanges } from "./board-stage.ts";

interface ControlledStage extends HomeStage {
  owner: RunOwner;
  run: string;
}

/** Starts a run with a living run owner, which listens like a batch's parent; the run is recorded in the home's store. */
async function controlledStage(allowsControl: boolean): Promise<ControlledStage> {
  const stage = await homeStage({ allowsControl });
  const service = new RunService({
    journal: stage.store,
    onUnsaved: (error) => {
      throw error;
    },
    clock: systemClock,
    stopError: (reason) => new Error(reason),
  });
  const run = stage.record(7, []);
  const selected = selectedTriageRun({ runId: BATCH, repo: "o/r", number: 7, atMs: systemClock.nowMs() });
  const { owner } = service.open(selected);
  const parent = await parentIdentity();
  const served = await serveControl(controlDirectory(stage.directory, BATCH), {
    service,
    runId: BATCH,
    parent,
    clock: systemClock,
  });
  return {
    ...stage,
    owner,
    run,
    [Symbol.asyncDispose]: async () => {
      if (!owner.isEnded)
        owner.lifecycle.report({
          type: "run-settled",
          end: { status: "skipped", reason: "test" },
          atMs: systemClock.nowMs(),
        });
      await served[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

test("input reaches the Triage Agent only through its send gate (H1, H39)", async () => {
  await using stage = await controlledStage(true);
  const { owner, run } = stage;
  const send = async (text: string): Promise<unknown> => (await stage.post(`${run}/input`, { text })).json();
  expect(await send("too early")).toMatchObject({ type: "refused", reason: "takes-no-input" });
  const runner = fakeRunner();
  using _runner = owner.attachRunner(runner);
  runner.answer = { type: "refused", reason: "input-not-accepted", remedy: "answer the dialog first" };
  expect(await send("not now")).toEqual({
    type: "refused",
    reason: "input-not-accepted",
    remedy: "answer the dialog first",
  });
  expect(runner.sent).toEqual([]);
  runner.answer = { type: "sent" };
  expect(await send("it is in widget.mjs")).toEqual({ type: "sent" });
  expect(runner.sent).toEqual(["it is in widget.mjs"]);
});

test("a dialog is answered in the parent through the send gate, and a changed screen causes a typed refusal (B9, H39)", async () => {
  await using stage = await controlledStage(true);
  const runner = fakeRunner();
  using _runner = stage.owner.attachRunner(runner);
  const dialog = { kind: "permission", heading: "Proceed?", choices: ["Yes", "No"] };
  const answer = async (body: unknown): Promise<unknown> =>
    (await stage.post(`${stage.run}/answer`, body)).json();
  expect(await answer({ dialog, choice: 1 })).toEqual({ type: "sent" });
  expect(runner.sent).toEqual(["chose No"]);
  const refusal = { type: "refused", reason: "screen-changed", remedy: "look again" } as const;
  runner.answer = refusal;
  expect(await answer({ dialog, choice: 0 })).toEqual(refusal);
  expect(await answer({ dialog: { ...dialog, kind: "no such kind" }, choice: 0 })).toMatchObject({
    type: "refused",
    reason: "screen-changed",
  });
  expect(await answer({ choice: 0 })).toMatchObject({ code: "REQUEST_INVALID" });
  expect(runner.sent).toEqual(["chose No"]);
});

test("the board refuses every command without --allow-control (S17, H39)", async () => {
  await using stage = await controlledStage(false);
  const runner = fakeRunner();
  using _runner = stage.owner.attachRunner(runner);
  for (const command of ["input", "answer", "stop", "kill", "verify", "rerun"])
    expect((await stage.post(`${stage.run}/${command}`, { text: "hello" })).status).toBe(403);
  expect([runner.sent, stage.owner.stopSignal.aborted]).toEqual([[], false]);
});

test("stop is sent only to the run's owner; a settled run answers no-active-run (C17)", async () => {
  await using stage = await controlledStage(true);
  const { owner, run } = stage;
  expect(await (await stage.post(`${run}/stop`)).json()).toEqual({ type: "stopping" });
  expect(owner.stopSignal.aborted).toBe(true);
  owner.lifecycle.report({
    type: "run-settled",
    end: { status: "skipped", reason: "stopped" },
    atMs: systemClock.nowMs(),
  });
  for (const command of ["stop", "kill"])
    expect(await (await stage.post(`${run}/${command}`)).json()).toEqual({ type: "no-active-run" });
  expect(await (await stage.post(`${run}/input`, { text: "hello" })).json()).toEqual({
    type: "no-active-run",
  });
});

test("kill marks the run terminated and updates every reader at once (O18)", async () => {
  await using stage = await controlledStage(true);
  await using reader = await readChanges(stage);
  expect(await (await stage.post(`${stage.run}/kill`)).json()).toEqual({ type: "stopping" });
  expect(await reader.next()).toMatchObject({ event: "run", data: { run: { displayStatus: "terminated" } } });
});

test("a command to a parent that no longer exists fails with PARENT_GONE and the last known facts (C17)", async () => {
  await using stage = await homeStage({ allowsControl: true });
  const run = stage.record(7, []);
  const answer = await stage.post(`${run}/stop`);
  expect([answer.status, await answer.json()]).toMatchObject([
    409,
    { error: { code: "PARENT_GONE", message: expect.stringContaining("does not answer") as string } },
  ]);
});
