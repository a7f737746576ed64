import { expect, test } from "vitest";
import { reportedClusters } from "../../src/duplicates/index.ts";
import type { DuplicateLinkFacts } from "../../src/store/index.ts";

function link(first: number, second: number, change: Partial<DuplicateLinkFacts> = {}): DuplicateLinkFacts {
  return {
    repo: "octo/widgets",
    first,
    second,
    kind: "proven",
    runId: "20260101T000000Z",
    reporters: { [first]: first, [second]: second },
    evidenced: [],
    titles: { [first]: `Issue ${first}`, [second]: `Issue ${second}` },
    reasons: [`${first} and ${second}`],
    ...change,
  };
}

test("a cluster counts each account once, and lists the links of its issues (D6)", () => {
  const links = [
    link(3, 9, { reporters: { 3: 1, 9: 2 } }),
    link(9, 12, { kind: "may-be", reporters: { 9: 2, 12: 1 } }),
    link(1, 2, { repo: "octo/other", reporters: { 1: null, 2: null } }),
  ];
  expect(reportedClusters(links)).toMatchObject([
    { repo: "octo/other", canonical: 1, proven: [2], reporters: 2 },
    { repo: "octo/widgets", canonical: 3, proven: [9], mayBe: [12], reporters: 2 },
  ]);
  expect(reportedClusters(links)[1]?.titles.get(12)).toBe("Issue 12");
  expect(reportedClusters(links)[1]?.links.flatMap(({ reasons }) => reasons)).toEqual([
    "3 and 9",
    "9 and 12",
  ]);
});

test("clusters with more reporters come first (D6)", () => {
  const links = [link(1, 2, { reporters: { 1: 7, 2: 7 } }), link(5, 6)];
  expect(reportedClusters(links).map(({ canonical }) => canonical)).toEqual([5, 1]);
});
