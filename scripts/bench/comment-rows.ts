import { performance } from "node:perf_hooks";
import { textAsMarkdown } from "../../src/github/index.ts";
import { COSTLY_PIECES, costlyComment } from "../../test/support/comments/costly-comment.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const REQUIRED_MS = 500;
/** The number of rounds; the best one counts, because other programs use the machine too. */
const ROUNDS = 5;

/** S24: how long the layout of hostile text takes, in this process, on one core. */
export function commentRows(): BenchRow[] {
  const worst = Object.values(COSTLY_PIECES)
    .map((piece) => bestMs(() => costlyComment(piece)))
    .reduce((slowest, ms) => Math.max(slowest, ms), 0);
  return [
    row("the slowest comment with every field of the schema full", worst),
    row(
      "1. a\\n   × 8,000",
      bestMs(() => textAsMarkdown("1. a\n   ".repeat(8_000))),
    ),
  ];
}

function row(what: string, ms: number): BenchRow {
  const measured = milliseconds(ms);
  const requirement = `at most ${REQUIRED_MS} ms`;
  return judged({ row: "S24", what, measured, rawLimit: "–", ratio: null, requirement }, ms <= REQUIRED_MS);
}

function bestMs(deed: () => unknown): number {
  return Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const startMs = performance.now();
      deed();
      return performance.now() - startMs;
    }),
  );
}
