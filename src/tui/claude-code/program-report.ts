/** The state that the program reports by OSC 7501; 2.1.329 does so when the terminal supports it. */
export type ReportWord = "working" | "blocked" | "idle" | "none";

const STATE = /(?:^|[;:])state=([a-z]+)/;
const MESSAGE = /[;:]msg=([A-Za-z0-9+/]+={0,2})(?:[;:]|$)/;
/**
 * Matches `1 shell still running` or `2 shells and 1 monitor still running`: the Turn has ended, but processes that it started
 * still run.
 */
const LEFT_RUNNING = /^\d+ [a-z ]+(?:(?:,| and) \d+ [a-z ]+)* still running$/;

/** Returns the state in the program's OSC 7501 report. */
export function readReport(report: string | null): ReportWord {
  switch (STATE.exec(report ?? "")?.[1]) {
    case "working":
      // In that case only the screen and the title show whether the session works.
      return LEFT_RUNNING.test(messageIn(report ?? "")) ? "none" : "working";
    case "blocked":
      return "blocked";
    case "idle":
    case "done":
    case "error":
      return "idle";
    default:
      return "none";
  }
}

const TASK = /[;:]id=/;
/** Its credential is missing; no dialog is open. */
const LACKS_LOGIN = /[;:]kind=auth\b/;

/**
 * Returns `asks` if the program reports that one of its own dialogs is open, and `rests` if it reports that it rests, so that a
 * person opened any dialog that is open. Returns null otherwise. A report about a background task says nothing about the session.
 */
export function readAsking(report: string | null): "asks" | "rests" | null {
  if (TASK.test(report ?? "")) return null;
  const word = readReport(report);
  if (word === "idle") return "rests";
  return word === "blocked" && !LACKS_LOGIN.test(report ?? "") ? "asks" : null;
}

function messageIn(report: string): string {
  return Buffer.from(MESSAGE.exec(report)?.[1] ?? "", "base64").toString("utf8");
}

/**
 * The state shown by the title: 2.1.197 spins braille characters, 2.1.329 half circles; both show `✳` otherwise.
 * Older versions set no title.
 */
export type TitleWord = "working" | "idle" | "none";

const WORKING = /^[\u2801-\u28ff◐◑◒◓] /u;
const IDLE = /^✳(?: |$)/u;

/** Returns the state that the window title shows. */
export function readTitle(title: string): TitleWord {
  if (WORKING.test(title)) return "working";
  return IDLE.test(title) ? "idle" : "none";
}
