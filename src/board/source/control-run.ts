import type { AnswerRequest, ControlResultDocument } from "../api/index.ts";
import { DIALOG_KINDS } from "../../tui/index.ts";
import type { ParentConnection } from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import { connectToOwner, type HomeOfRun, isSettled } from "../../home/index.ts";

/** O20: asks the run's owner, in the batch's own process; a send goes through its send gate (H39). */
export async function sendToRun(
  home: HomeOfRun,
  row: RunRow,
  text: string,
  signal: AbortSignal,
): Promise<ControlResultDocument> {
  return withParent("send to", home, row, ({ repo, number }, parent) =>
    parent.call({ method: "send", repo, number, text }, signal),
  );
}

/** Answers a dialog in the batch's own process (B9). A dialog of no known kind cannot have been on the screen. */
export async function answerInRun(
  home: HomeOfRun,
  row: RunRow,
  { dialog, choice }: AnswerRequest,
  signal: AbortSignal,
): Promise<ControlResultDocument> {
  const kind = DIALOG_KINDS.find((one) => one === dialog.kind);
  if (kind === undefined)
    return { type: "refused", reason: "screen-changed", remedy: "look at what the terminal asks now" };
  return withParent("answer", home, row, ({ repo, number }, parent) =>
    parent.call({ method: "answer", repo, number, dialog: { ...dialog, kind }, choice }, signal),
  );
}

/**
 * Asks the run's parent to stop or kill it; `no-active-run` if it is settled. Rejects with PARENT_GONE when no parent
 * answers.
 */
export async function endRun(
  home: HomeOfRun,
  row: RunRow,
  how: "stop" | "kill",
  signal: AbortSignal,
): Promise<ControlResultDocument> {
  return withParent(how, home, row, ({ repo, number }, parent) =>
    parent.call({ method: how, repo, number }, signal),
  );
}

async function withParent(
  attempted: string,
  home: HomeOfRun,
  row: RunRow,
  ask: (run: RunRow["facts"], parent: ParentConnection) => Promise<ControlResultDocument>,
): Promise<ControlResultDocument> {
  if (isSettled(row)) return { type: "no-active-run" };
  await using parent = await connectToOwner(attempted, home, row);
  return await ask(row.facts, parent);
}
