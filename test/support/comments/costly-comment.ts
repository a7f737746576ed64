import { noInsight, type Outcome, renderComment, type Verification } from "../../../src/triage/index.ts";
import { decideAlone, issueWith, outcomeWith, reproduction, runWith } from "../../triage/facts.ts";

/** Pieces that a Markdown parser processes slowly: nested lists, unclosed delimiters, and words that GitHub acts on. */
export const COSTLY_PIECES = {
  "nested list items": "1. a\n   ",
  "openings of links": "[a](",
  emphasis: "*a _b ",
  backticks: "` `` ",
  quotes: "> ",
  fences: "```\n",
  entities: "&lt;!--",
  mentions: "@a #1 ",
  tables: "| a ",
} as const;

/** Returns a comment in which every field of the schema is filled with one piece, up to `share` of its maximum length. */
export function costlyComment(piece: string, share = 1): string {
  return renderComment(
    decideAlone({ issue: issueWith(), outcome: costlyOutcome(piece, share), ...VERIFIED }),
    {
      issue: issueWith(),
      runId: "20260430T141500Z",
      markerKey: "a key",
      recording: null,
    },
  );
}

const VERIFIED: { verification: Verification } = {
  verification: {
    type: "reproduced",
    runs: [runWith(), runWith(), runWith()],
    reproduction,
    insight: noInsight,
  },
};

function costlyOutcome(piece: string, share: number): Outcome {
  const filled = (limit: number): string => {
    const length = Math.floor(limit * share);
    return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  };
  const list = Array.from({ length: 20 }, () => filled(1_000));
  const paragraph = filled(8_000);
  return outcomeWith({
    summary: filled(500),
    established: list,
    brief: {
      currentBehavior: paragraph,
      desiredBehavior: paragraph,
      keyInterfaces: list,
      acceptanceCriteria: list,
      outOfScope: list,
    },
    reproduction: { ...reproduction, expected: paragraph, actual: paragraph },
  });
}
