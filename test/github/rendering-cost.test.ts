import { expect, test, vi } from "vitest";
import { textAsMarkdown } from "../../src/github/index.ts";
import { COSTLY_PIECES, costlyComment } from "../support/comments/costly-comment.ts";
import { propertyRuns } from "../support/property-runs.ts";

/** Characters that patterns walk over while `deed` runs; what a pattern tries again within one match is not counted. */
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

/** Two to four times the text may cost so many times the work: linear, with a margin for what is cut off at its limit. */
const MARGIN = 1.3;

test.each(Object.entries(COSTLY_PIECES))(
  "the work of laying out a text of %s grows with its length alone (S7, S24)",
  (_, piece) => {
    const costOf = (count: number): number => charactersMatched(() => textAsMarkdown(piece.repeat(count)));
    const cost = costOf(2_000);
    expect(cost).toBeGreaterThan(0);
    expect(costOf(8_000)).toBeLessThanOrEqual(cost * 4 * MARGIN);
  },
);

/** The default run fills a quarter of each field, `npm run test:laws` all of it. */
const SHARE = propertyRuns(1, 4) / 4;

test.each(Object.entries(COSTLY_PIECES))(
  "a comment with every field full of %s costs a bounded number of characters matched (S7, S24)",
  (_, piece) => {
    // The full fields hold 124,500 characters; each is read by a bounded number of patterns, in a bounded number of writings.
    expect(charactersMatched(() => costlyComment(piece, SHARE))).toBeLessThanOrEqual(124_500 * SHARE * 400);
  },
);
