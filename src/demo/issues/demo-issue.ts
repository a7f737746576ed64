import type { TriageState } from "../../triage/index.ts";

/** One issue of the demo's issue tracker, written as a real reporter would write it. */
export interface DemoIssue {
  /** The name of the issue for tests and for readers of the source. It is never published. */
  key: string;
  title: string;
  author: DemoReporter;
  labels: readonly string[];
  body: string;
  comments: readonly DemoComment[];
  kind: "issue" | "pull-request";
  expectation: DemoExpectation;
}

export type DemoReporter = "ana-lytics" | "devon-w" | "kofi-b" | "lin-chen" | "mallory-x" | "priya-s";

export type DemoComment =
  | { author: DemoReporter; body: string }
  /** Triage notes of an earlier batch, with their marker. */
  | { author: "triage-bot"; outcome: TriageState; body: string };

/** The outcome that a Triage Batch must reach. The demo's Triage Agent never sees it. */
export type DemoExpectation =
  | { type: "triaged"; outcome: TriageState; category: "bug" | "enhancement"; verdict: DemoVerdict }
  | { type: "skipped"; reason: "needs-info-without-new-activity" | "pull-request" }
  /** In the demo, another parent holds the name of this issue's Coder workspace. */
  | { type: "locked" };

/** The result of the reproduction: `flaky` fails in some runs and not in others. */
export type DemoVerdict = "none" | "reproduced" | "flaky" | "not-reproduced";

/** Returns the lines as one text. With one string per line, fences and indentation stay readable in the source. */
export function lines(...text: string[]): string {
  return `${text.join("\n")}\n`;
}
