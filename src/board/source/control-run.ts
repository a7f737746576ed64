import type { AnswerRequest, ControlResultDocument, FollowUpCommand } from "../api/index.ts";
import { DIALOG_KINDS } from "../../tui/index.ts";
import type { ParentConnection } from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import type { FollowUps } from "./follow-ups.ts";
import { connectToOwner, type HomeOfRun, isSettled } from "../../home/index.ts";

/** Sends a text through the run owner in the batch's own process (O20), which passes it through the send gate (H39). */
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

/**
 * Answers a dialog in the batch's own process (B9). A dialog of an unknown kind is refused, because it cannot have been on the
 * screen.
 */
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

/** Starts a command for the issue of a settled run. A board over a fleet has no home in which to start it (`followUps` null). */
export function startFollowUp(
  followUps: FollowUps | null,
  row: RunRow,
  command: FollowUpCommand,
  place: { home: string; provider: string | null },
): ControlResultDocument {
  if (!isSettled(row))
    return {
      type: "refused",
      reason: "This Triage Run is still running.",
      remedy: "Wait until it ends, or stop it first.",
    };
  if (followUps === null)
    return {
      type: "refused",
      reason: "This board starts no commands: it shows the Triage Runs of a whole fleet.",
      remedy: `Run \`afk-triage ${command === "run" ? "run --issue" : "verify"} ${row.facts.number} --repo ${row.facts.repo}\` with the worker's home.`,
    };
  return followUps.begin(row.facts, command, place);
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
