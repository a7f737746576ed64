import { OperationalError } from "agent-tty/kit";
import type { TrackedState } from "../tracked-state.ts";

export const sendRefusals = [
  "not-available",
  "not-ready",
  "input-not-accepted",
  "draft-in-composer",
] as const;
export type SendRefusal = (typeof sendRefusals)[number];
export type SendGate = { type: "open" } | { type: "closed"; reason: SendRefusal };
export type SendErrorCode = "TUI_NOT_READY" | "TUI_SUBMIT_LOST";

/** Returns whether a prompt may be sent now (H39). The first condition that is not met names the reason. */
export function sendGate({ diagnostics, surface, turn }: TrackedState): SendGate {
  if (diagnostics.availability !== "available") return { type: "closed", reason: "not-available" };
  // Checked before the phase: a dialog is also not ready, but is the more useful reason.
  if (surface.acceptingInput === "no") return { type: "closed", reason: "input-not-accepted" };
  if (turn.phase !== "ready") return { type: "closed", reason: "not-ready" };
  if (surface.editingInput === "yes") return { type: "closed", reason: "draft-in-composer" };
  return { type: "open" };
}

const REMEDIES: Record<SendRefusal, string> = {
  "not-available": "check that the TUI runs in this terminal, and try again when its state is available",
  "not-ready": "wait until the Turn has ended",
  "input-not-accepted": "answer the dialog first",
  "draft-in-composer": "submit or clear the draft in the composer first",
};

/** Returns the error TUI_NOT_READY of a refused send (H39). Nothing was written to the terminal. */
export function sendRefused(state: TrackedState, reason: SendRefusal): OperationalError<SendErrorCode> {
  const { diagnostics, surface, turn } = state;
  const seen = `availability ${diagnostics.availability}, phase ${turn.phase}, shows ${surfaceName(state)}, accepting input ${surface.acceptingInput}, editing input ${surface.editingInput}`;
  return new OperationalError<SendErrorCode>({
    code: "TUI_NOT_READY",
    message: `cannot send a prompt to ${state.detector.family}: ${reason} (${seen})`,
    remedy: REMEDIES[reason],
    details: { reason, evidence: state.evidence },
  });
}

function surfaceName({ surface: { shows } }: TrackedState): string {
  return shows.type === "dialog" ? `a ${shows.dialog.kind} dialog "${shows.dialog.heading}"` : shows.type;
}
