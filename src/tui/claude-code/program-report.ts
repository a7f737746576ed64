/** What the program says of itself by OSC 7501; 2.1.329 does when the terminal offers to listen. */
export type ReportWord = "working" | "blocked" | "idle" | "none";

const STATE = /(?:^|[;:])state=([a-z]+)/;
const MESSAGE = /[;:]msg=([A-Za-z0-9+/]+={0,2})(?:[;:]|$)/;
/** `1 shell still running`, `2 shells and 1 monitor still running`: the Turn is over, what it started is not. */
const LEFT_RUNNING = /^\d+ [a-z ]+(?:(?:,| and) \d+ [a-z ]+)* still running$/;

export function readReport(report: string | null): ReportWord {
  switch (STATE.exec(report ?? "")?.[1]) {
    case "working":
      // Whether the session itself works is then told by its screen and title alone.
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

function messageIn(report: string): string {
  return Buffer.from(MESSAGE.exec(report)?.[1] ?? "", "base64").toString("utf8");
}
