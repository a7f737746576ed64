/** What the program says of itself by OSC 7501; 2.1.329 does when the terminal offers to listen. */
export type ReportWord = "working" | "blocked" | "idle" | "none";

const STATE = /(?:^|[;:])state=([a-z]+)/;

export function readReport(report: string | null): ReportWord {
  switch (STATE.exec(report ?? "")?.[1]) {
    case "working":
      return "working";
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
