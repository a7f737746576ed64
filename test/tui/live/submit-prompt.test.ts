import { expect, test } from "vitest";
import { submitPrompt, type TrackedState, type TuiSignals } from "../../../src/tui/index.ts";
import { DONE, DRAFT, IDLE, WORKING } from "../tracker/scripted-tui.ts";
import { type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";

const DIALOG: Partial<TuiSignals> = {
  surface: { type: "dialog", dialog: { kind: "permission", heading: "May I?", choices: [], selected: null } },
  acceptingInput: "no",
  readyPosture: "no",
};

async function submit(terminal: ScriptedTerminal): Promise<TrackedState> {
  const { tracker, input, clock } = terminal;
  const sending = submitPrompt({ tracker, input, clock, text: "fix it" });
  sending.catch(() => undefined);
  await clock.advance(0);
  if (terminal.sent.length > 0) terminal.show(DRAFT("fix it"));
  await clock.advance(10_000);
  return sending;
}

test("H1, H38, H39: a prompt is pasted, submitted apart from it, and confirmed; its Turn is explicit", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => terminal.show(WORKING);
  const state = await submit(terminal);
  expect(terminal.sent).toEqual(["paste fix it", "Enter"]);
  expect(state.turn).toMatchObject({ phase: "active", isExplicitInputArmed: true });
  terminal.show(DONE());
  await terminal.clock.advance(2_000);
  expect(terminal.tracker.state.lastTurn).toMatchObject({ result: "success", source: "explicit_input" });
});

test("H1: a composer that empties has taken the prompt, though no work is seen", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => terminal.show(IDLE, "> fix it");
  expect((await submit(terminal)).turn.phase).toBe("active");
});

test("H39: into a dialog, a Turn or a draft nothing is sent", async () => {
  for (const screen of [DIALOG, WORKING, DRAFT("half a thought")]) {
    await using terminal = await scriptedTerminal();
    terminal.show(screen);
    await expect(submit(terminal)).rejects.toMatchObject({ code: "TUI_NOT_READY" });
    expect(terminal.sent).toEqual([]);
  }
});

test("H39: a prompt that stays in the composer is lost", async () => {
  await using terminal = await scriptedTerminal();
  await expect(submit(terminal)).rejects.toMatchObject({ code: "TUI_SUBMIT_LOST" });
  expect(terminal.sent).toEqual(["paste fix it", "Enter"]);
  expect(terminal.tracker.state.turn).toMatchObject({ phase: "ready", isExplicitInputArmed: false });
});

test("H19, H39: a dialog that comes up under the paste is not answered by Enter", async () => {
  await using terminal = await scriptedTerminal();
  const { tracker, input, clock } = terminal;
  const sending = submitPrompt({ tracker, input, clock, text: "fix it" });
  sending.catch(() => undefined);
  await clock.advance(0);
  terminal.show(DIALOG);
  await clock.advance(1_000);
  await expect(sending).rejects.toMatchObject({ code: "TUI_SUBMIT_LOST" });
  expect(terminal.sent).toEqual(["paste fix it"]);
});
