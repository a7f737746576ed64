import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AutonomyEvent, decideAutonomy } from "../../src/trust/index.ts";

const judged = (accepted: readonly boolean[]): AutonomyEvent[] =>
  accepted.map((isAccepted, index) => ({ type: "judged", isAccepted, number: index + 1 }));
const times = (count: number, isAccepted: boolean): AutonomyEvent[] =>
  judged(Array.from({ length: count }, () => isAccepted));
const levelOf = (...parts: AutonomyEvent[][]): string => decideAutonomy(parts.flat()).level;

const VETO: AutonomyEvent[] = [{ type: "vetoed" }];
const RELEASE: AutonomyEvent[] = [{ type: "released" }];

test.each([
  ["nothing is known", [], "suggest"],
  ["72 outcomes were accepted: the lower bound is below 0.95", times(72, true), "suggest"],
  ["73 outcomes were accepted", times(73, true), "apply"],
  ["three in a row were not accepted", [...times(73, true), ...times(3, false)], "suggest"],
  ["two in a row were not accepted", [...times(73, true), ...times(2, false)], "apply"],
  ["three more in a row were not accepted after a fall", times(6, false), "shadow"],
  ["trust is proven again from shadow", [...times(3, false), ...times(73, true)], "suggest"],
  ["no outcome is accepted at the lowest level", times(60, false), "shadow"],
  ["a person vetoes", [...times(73, true), ...VETO], "suggest"],
  ["the record is perfect after a veto", [...VETO, ...times(200, true)], "suggest"],
  [
    "trust is proven after a release",
    [...VETO, ...times(200, true), ...RELEASE, ...times(73, true)],
    "apply",
  ],
  ["a release alone proves nothing", [...times(73, true), ...VETO, ...RELEASE], "suggest"],
] satisfies [string, AutonomyEvent[], string][])(
  "earned autonomy is at the right level when %s (E4)",
  (_, record, level) => {
    expect(levelOf(record)).toBe(level);
  },
);

test("earned autonomy falls when acceptance is below the bar without a bad streak (E4)", () => {
  const nineInTen = judged(Array.from({ length: 200 }, (_, index) => index % 10 !== 0));
  const { level, moves } = decideAutonomy([...times(73, true), ...nineInTen]);
  expect(moves.map(({ why }) => why)).toEqual(["proven", "below-bar"]);
  expect(level).toBe("suggest");
});

const someRecord = fc.array(
  fc.oneof(
    {
      weight: 40,
      arbitrary: fc.boolean().map((isAccepted) => ({ type: "judged" as const, isAccepted, number: 1 })),
    },
    { weight: 40, arbitrary: fc.constant({ type: "judged" as const, isAccepted: true, number: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom<AutonomyEvent>({ type: "vetoed" }, { type: "released" }) },
  ),
  { maxLength: 600 },
);

test("earned autonomy never rises with fewer than 30 judged outcomes, with a lower bound below 0.95, or under a veto (E4)", () => {
  fc.assert(
    fc.property(someRecord, (record) => {
      let before = decideAutonomy([]);
      for (let end = 1; end <= record.length; end += 1) {
        const state = decideAutonomy(record.slice(0, end));
        const move = state.moves.length > before.moves.length ? state.moves.at(-1) : undefined;
        if (move?.why === "proven") {
          expect(move.judged).toBeGreaterThanOrEqual(30);
          expect(move.lower).toBeGreaterThanOrEqual(0.95);
          expect(before.isHeld).toBe(false);
        }
        // Only a move or a veto changes a level.
        if (move === undefined && record[end - 1]?.type !== "vetoed") expect(state.level).toBe(before.level);
        before = state;
      }
    }),
    { numRuns: 30 },
  );
});

test("earned autonomy falls after three outcomes in a row that are not accepted, whatever came before (E4)", () => {
  fc.assert(
    fc.property(someRecord, (record) => {
      const before = decideAutonomy(record);
      const after = decideAutonomy([...record, ...times(3, false)]);
      if (before.level === "apply") expect(after.level).not.toBe("apply");
      if (before.level !== "shadow") expect(after.level).not.toBe(before.level);
    }),
    { numRuns: 200 },
  );
});

test("earned autonomy rises after a fall only with a complete new proof (E4)", () => {
  fc.assert(
    fc.property(someRecord, (record) => {
      const { moves } = decideAutonomy(record);
      for (const [index, move] of moves.entries()) {
        const last = moves[index - 1];
        if (last !== undefined && move.why === "proven") expect(move.judged).toBeGreaterThanOrEqual(73);
        expect(move.from).not.toBe(move.to);
      }
    }),
    { numRuns: 200 },
  );
});

test("later outcomes never change earlier moves of earned autonomy (E4)", () => {
  fc.assert(
    fc.property(someRecord, someRecord, (first, second) => {
      const earlier = decideAutonomy(first).moves;
      expect(decideAutonomy([...first, ...second]).moves.slice(0, earlier.length)).toEqual(earlier);
    }),
    { numRuns: 100 },
  );
});
