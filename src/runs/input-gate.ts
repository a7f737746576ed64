import type { ChosenAnswer } from "../tui/index.ts";

/** The gate through which input reaches a Triage Agent. Only the gate decides whether the input is typed (H39). */
export interface InputGate {
  send(text: string, signal: AbortSignal): Promise<SendResult>;
  /** Chooses a row of the dialog that the person saw; it is refused when the screen shows anything else (B9). */
  answer(answer: ChosenAnswer, signal: AbortSignal): Promise<SendResult>;
}

export type SendResult =
  | { type: "sent" }
  /** `reason` is a stable kebab-case code. Nothing was typed. */
  | { type: "refused"; reason: string; remedy: string };

/** The gate of a Triage Agent that takes no input, or of a run that currently has no Triage Agent. */
export const closedGate: InputGate = { send: takesNoInput, answer: takesNoInput };

function takesNoInput(): Promise<SendResult> {
  return Promise.resolve({
    type: "refused",
    reason: "takes-no-input",
    remedy: "Use a Triage Agent in mode: tui, and send text only while it is ready for input.",
  });
}
