import { expect, test } from "vitest";
import { submitPrompt, type TrackedState, type TuiSignals } from "../../../src/tui/index.ts";
import { DONE, DRAFT, IDLE, WORKING } from "../tracker/scripted-tui.ts";
import { type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";

const DIALOG: Partial<TuiSignals> = {
  surface: { type: "dialog", dialog: { kind: "permission", heading: "May I?", choices: [], selected: null } },
  acceptingInput: "no",
  readyPosture: "no",
};

async function submit(terminal: ScriptedTerminal, withinMs = 10_000): Promise<TrackedState> {
  const { tracker, input, clock } = terminal;
  const sending = submitPrompt({ tracker, input, clock, text: "fix it" });
  sending.catch(() => undefined);
  await clock.advance(0);
  if (terminal.sent.length > 0) terminal.show(DRAFT("fix it"));
  await clock.advance(withinMs);
  return sending;
}

test("a prompt is pasted, submitted separately and confirmed, and its Turn is explicit (H1, H38, H39)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => terminal.show(WORKING);
  const state = await submit(terminal);
  expect(terminal.sent).toEqual(["paste fix it", "Enter"]);
  expect(state.turn).toMatchObject({ phase: "active", isExplicitInputArmed: true });
  terminal.show(DONE());
  await terminal.clock.advance(2_000);
  expect(terminal.tracker.state.lastTurn).toMatchObject({ result: "success", source: "explicit_input" });
});

test("Enter follows a paste when the composer shows it, or after 5 s (H38, H39)", async () => {
  await using slow = await scriptedTerminal();
  const { tracker, input, clock } = slow;
  const sending = submitPrompt({ tracker, input, clock, text: "fix it" });
  await clock.advance(4_000);
  expect(slow.sent).toEqual(["paste fix it"]);
  slow.onKeys = () => slow.show(WORKING);
  slow.show(DRAFT("fix it"));
  await clock.advance(1_000);
  expect((await sending).turn.phase).toBe("active");
  await using silent = await scriptedTerminal();
  silent.onKeys = () => silent.show(WORKING);
  const blind = submitPrompt({ ...silent, text: "fix it" });
  await silent.clock.advance(6_000);
  expect((await blind).turn.phase).toBe("active");
});

test("a composer that empties has taken the prompt, even if no work is seen (H1)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => terminal.show(IDLE, "> fix it");
  expect((await submit(terminal)).turn.phase).toBe("active");
});

test("the driver sends nothing into a dialog, a Turn or a draft (H39)", async () => {
  for (const screen of [DIALOG, WORKING, DRAFT("half a thought")]) {
    await using terminal = await scriptedTerminal();
    terminal.show(screen);
    await expect(submit(terminal)).rejects.toMatchObject({ code: "TUI_NOT_READY" });
    expect(terminal.sent).toEqual([]);
  }
});

test("a prompt that stays in the composer of a TUI that paints counts as lost (H39)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => terminal.show(DRAFT("fix it"), "a line break");
  await expect(submit(terminal)).rejects.toMatchObject({
    code: "TUI_SUBMIT_LOST",
    details: { isFrozen: false },
  });
  expect(terminal.sent).toEqual(["paste fix it", "Enter"]);
  expect(terminal.tracker.state.turn).toMatchObject({ phase: "ready", isExplicitInputArmed: false });
});

test("a prompt whose take was painted in time and not read yet does not count as lost (H39)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.onKeys = () => {
    terminal.show(DRAFT("fix it"), "a line break");
    // The tracker rests for 50 ms after it has read this screen.
    terminal.clock.schedule(4_970, () => terminal.show(DRAFT("fix it"), "a blinking dot"));
    terminal.clock.schedule(4_990, () => terminal.show(WORKING));
  };
  expect((await submit(terminal)).turn.phase).toBe("active");
});

test("a TUI that paints nothing after Enter gets 20 s before the prompt counts as lost (H29, H39)", async () => {
  await using waking = await scriptedTerminal();
  const taken = submit(waking, 15_000);
  waking.clock.schedule(14_000, () => waking.show(DIALOG));
  expect((await taken).surface.shows.type).toBe("dialog");
  await using frozen = await scriptedTerminal();
  await expect(submit(frozen, 21_000)).rejects.toMatchObject({
    code: "TUI_SUBMIT_LOST",
    details: { isFrozen: true },
  });
  expect(frozen.sent).toEqual(["paste fix it", "Enter"]);
});

test("a dialog that appears during the paste is not answered by Enter (H19, H39)", async () => {
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
