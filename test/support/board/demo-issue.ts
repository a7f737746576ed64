import type { IssueDocument } from "../../../src/board/api/index.ts";
import { inertBlocks } from "../../../src/board/source/inert-blocks.ts";

const ISSUE = [
  "A table inside a cell prints `0` where its value is `-0`:",
  "",
  "```js",
  'format([{ name: "delta", rows: [{ value: -0 }] }]);',
  "```",
  "",
  "I expected `-0`, as in the outer table.",
].join("\n");

/** The issue of the run that went through all phases. */
export const heroIssue: IssueDocument["issue"] = {
  title: "format() loses the sign of negative zero in nested tables",
  author: "delta-reader",
  createdAt: "2026-11-20T08:12:00Z",
  labels: ["needs-triage"],
  blocks: inertBlocks(ISSUE),
  comments: [
    {
      author: "delta-reader",
      isReporter: true,
      createdAt: "2026-11-20T09:40:00Z",
      blocks: inertBlocks("Version 3.1.0 is the first that does it; 3.0.4 prints `-0`."),
    },
  ],
  omittedComments: 0,
  hiddenTexts: 0,
};
