import { expect, test } from "vitest";
import { answerShownDialog, type Dialog, type TuiSignals } from "../../../src/tui/index.ts";
import { IDLE, WORKING } from "../tracker/scripted-tui.ts";
import { type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";

const QUESTION: Dialog = {
  kind: "permission",
  heading: "Do you want to proceed?",
  choices: ["Yes", "Yes, always", "No"],
  selected: 2,
};

function showing(dialog: Partial<Dialog>): Partial<TuiSignals> {
  return {
    surface: { type: "dialog", dialog: { ...QUESTION, ...dialog } },
    acceptingInput: "no",
    readyPosture: "no",
  };
}

/** Answers with the second row and lets time pass. */
async function answer(terminal: ScriptedTerminal, seen: Partial<Dialog> = {}): Promise<unknown> {
  const { kind, heading, choices } = { ...QUESTION, ...seen };
  const { tracker, input, clock } = terminal;
  const answering = answerShownDialog(
    { dialog: { kind, heading, choices }, choice: 1 },
    { tracker, input, signal: new AbortController().signal },
  );
  answering.catch(() => undefined);
  await clock.advance(20_000);
  return answering;
}

test("a person's answer moves to the chosen row and presses Enter only when the screen shows that row as selected (B9)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.show(showing({}));
  terminal.onKeys = () => terminal.show(terminal.sent.at(-1) === "Up" ? showing({ selected: 1 }) : WORKING);
  expect(await answer(terminal)).toEqual({ type: "sent" });
  expect(terminal.sent).toEqual(["Up", "Enter"]);
});

test("an answer is refused without a key when the screen shows anything but the dialog that was seen (B9)", async () => {
  const screens: [Partial<TuiSignals>, string][] = [
    [IDLE, "screen-changed"],
    [showing({ heading: "Delete everything?" }), "screen-changed"],
    [showing({ choices: ["Yes", "Always", "No"] }), "screen-changed"],
    [showing({ kind: "trust" }), "screen-changed"],
    [showing({ selected: null }), "no-row-selected"],
  ];
  for (const [screen, reason] of screens) {
    await using terminal = await scriptedTerminal();
    terminal.show(screen);
    expect(await answer(terminal)).toMatchObject({ type: "refused", reason });
    expect(terminal.sent).toEqual([]);
  }
});

test("an answer is refused when another dialog appears after the first key, or the rows do not move (B9)", async () => {
  await using changing = await scriptedTerminal();
  changing.show(showing({}));
  changing.onKeys = () => changing.show(showing({ heading: "Another question?", selected: 1 }));
  expect(await answer(changing)).toMatchObject({ type: "refused", reason: "screen-changed" });
  expect(changing.sent).toEqual(["Up"]);
  await using stuck = await scriptedTerminal();
  stuck.show(showing({}));
  expect(await answer(stuck)).toMatchObject({ type: "refused", reason: "row-not-reached" });
  expect(stuck.sent).not.toContain("Enter");
});

test("an Enter that changes nothing on the screen is reported as lost (B9)", async () => {
  await using terminal = await scriptedTerminal();
  terminal.show(showing({ selected: 1 }));
  await expect(answer(terminal)).rejects.toMatchObject({ code: "TUI_SUBMIT_LOST" });
  expect(terminal.sent).toEqual(["Enter"]);
});
