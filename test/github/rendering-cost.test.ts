import { expect, test, vi } from "vitest";
import { textAsMarkdown } from "../../src/github/index.ts";
import { COSTLY_PIECES, costlyComment } from "../support/comments/costly-comment.ts";
import { propertyRuns } from "../support/property-runs.ts";

/** Counts the characters that patterns read while `deed` runs; backtracking within one match is not counted. */
function charactersMatched(deed: () => unknown): number {
  let characters = 0;
  const exec = Reflect.get(RegExp.prototype, "exec");
  const spy = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const missed = this.sticky ? from : text.length;
    characters += (match === null ? missed : match.index + match[0].length) - from + 1;
    return match;
  });
  try {
    deed();
  } finally {
    spy.mockRestore();
  }
  return characters;
}

/**
 * Text that is two to four times as long may cost this many times the work: linear growth, with a margin for text that is cut at
 * its limit.
 */
const MARGIN = 1.3;

test.each(Object.entries(COSTLY_PIECES))(
  "the work to render a text of %s grows linearly with its length (S7, S24)",
  (_, piece) => {
    const costOf = (count: number): number => charactersMatched(() => textAsMarkdown(piece.repeat(count)));
    const cost = costOf(2_000);
    expect(cost).toBeGreaterThan(0);
    expect(costOf(8_000)).toBeLessThanOrEqual(cost * 4 * MARGIN);
  },
);

/** The default run fills a quarter of each field; `npm run test:laws` fills all of it. */
const SHARE = propertyRuns(1, 4) / 4;

test.each(Object.entries(COSTLY_PIECES))(
  "a comment whose every field is full of %s makes the patterns match a bounded number of characters (S7, S24)",
  (_, piece) => {
    // The full fields contain 124,500 characters; a bounded number of patterns reads each one, in a bounded number of views.
    expect(charactersMatched(() => costlyComment(piece, SHARE))).toBeLessThanOrEqual(124_500 * SHARE * 400);
  },
);
