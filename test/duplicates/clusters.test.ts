import { array, assert, constantFrom, integer, property, record, shuffledSubarray } from "fast-check";
import { expect, test } from "vitest";
import { clustersOf, type DuplicateLink, duplicateOf } from "../../src/duplicates/index.ts";

const link = record({
  first: integer({ min: 1, max: 12 }),
  second: integer({ min: 1, max: 12 }),
  kind: constantFrom("may-be" as const, "proven" as const),
});
const links = array(link, { maxLength: 20 });
const numbers = array(integer({ min: 1, max: 12 }), { maxLength: 5 });

test("the canonical issue points to no issue, and no issue points to itself, so there are no cycles (D6)", () => {
  assert(
    property(links, numbers, (some, evidenced) => {
      const clusters = clustersOf({ links: some, evidenced: new Set(evidenced) });
      for (const { canonical, proven, mayBe } of clusters) {
        expect(duplicateOf(clusters, canonical)).toBeNull();
        for (const number of [...proven, ...mayBe]) {
          expect(number).not.toBe(canonical);
          expect(duplicateOf(clusters, number)?.canonical).toBe(canonical);
        }
      }
      const members = clusters.flatMap(({ canonical, proven, mayBe }) => [canonical].concat(proven, mayBe));
      expect(new Set(members).size).toBe(members.length);
    }),
  );
});

test("clusters do not depend on the order, direction or repetition of links (D6)", () => {
  assert(
    property(
      links.chain((some) =>
        shuffledSubarray([...some, ...some], { minLength: some.length * 2 }).map(
          (other) => [some, other] as const,
        ),
      ),
      numbers,
      ([some, other], evidenced) => {
        const turned = other.map(({ first, second, kind }): DuplicateLink => ({
          first: second,
          second: first,
          kind,
        }));
        const facts = { evidenced: new Set(evidenced) };
        expect(clustersOf({ ...facts, links: turned })).toEqual(clustersOf({ ...facts, links: some }));
      },
    ),
  );
});

test("linking every member to its canonical issue again changes nothing (D6)", () => {
  assert(
    property(links, numbers, (some, evidenced) => {
      const facts = { evidenced: new Set(evidenced) };
      const clusters = clustersOf({ ...facts, links: some });
      const again = clusters.flatMap(({ canonical, proven, mayBe }): DuplicateLink[] => [
        ...proven.map((number) => ({ first: number, second: canonical, kind: "proven" as const })),
        ...mayBe.map((number) => ({ first: number, second: canonical, kind: "may-be" as const })),
      ]);
      expect(clustersOf({ ...facts, links: [...some, ...again] })).toEqual(clusters);
    }),
  );
});

test("the older issue is canonical, unless only the newer one has a verified reproduction (D6)", () => {
  const some: DuplicateLink[] = [{ first: 3, second: 9, kind: "proven" }];
  expect(clustersOf({ links: some, evidenced: new Set() })).toMatchObject([{ canonical: 3, proven: [9] }]);
  expect(clustersOf({ links: some, evidenced: new Set([9]) })).toMatchObject([{ canonical: 9, proven: [3] }]);
  expect(clustersOf({ links: some, evidenced: new Set([3, 9]) })).toMatchObject([{ canonical: 3 }]);
});

test("an issue that only a Triage Agent linked stays `may-be` in a cluster of proven duplicates (D6)", () => {
  const some: DuplicateLink[] = [
    { first: 3, second: 9, kind: "proven" },
    { first: 9, second: 11, kind: "may-be" },
  ];
  const clusters = clustersOf({ links: some, evidenced: new Set() });
  expect(clusters).toEqual([{ canonical: 3, proven: [9], mayBe: [11] }]);
  expect(duplicateOf(clusters, 11)).toEqual({ canonical: 3, kind: "may-be" });
});
