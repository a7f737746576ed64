import { array, assert, constantFrom, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  edgesOf,
  flipsOf,
  nextBeyond,
  nextProbe,
  type ProbeState,
  startLine,
  withState,
  type Edge,
  type Line,
} from "../../../src/evidence/range/index.ts";

const EXACT = { confirm: true };

function search(truth: readonly ProbeState[], origin: number, confirm = true, budget = Infinity): Line {
  let line = startLine(truth.length, origin);
  for (let probes = 0; probes < budget; probes += 1) {
    const index = nextProbe(line, { confirm });
    if (index === null) return line;
    expect(line.states.has(index)).toBe(false);
    line = withState(line, index, truth[index] ?? "untestable");
  }
  return line;
}

/** Returns the true edges by checking every item; untestable items are ignored. */
function bruteForce(
  truth: readonly ProbeState[],
  origin: number,
): { firstBad: number | null; firstFixed: number | null } {
  const told = truth.flatMap((state, index) => (state === "untestable" ? [] : [{ state, index }]));
  const at = told.findIndex(({ index }) => index === origin);
  let first = at;
  while (told[first - 1]?.state === "bad") first -= 1;
  let last = at;
  while (told[last + 1]?.state === "bad") last += 1;
  return {
    firstBad: first === 0 ? null : (told[first]?.index ?? null),
    firstFixed: told[last + 1]?.index ?? null,
  };
}

const foundAt = (edge: Edge): number | null => (edge.type === "found" ? edge.index : null);

const states = array(constantFrom<ProbeState[]>("bad", "bad", "bad", "bad", "good", "untestable"), {
  minLength: 1,
  maxLength: 60,
});
const lines = states.chain((some) =>
  nat(some.length - 1).map((origin) => ({ truth: some.with(origin, "bad"), origin })),
);

describe("the range search along a line of versions", () => {
  test("the search finds the same first bad and first fixed item as running every item, for any sequence of states (V4, V10)", () => {
    assert(
      property(lines, ({ truth, origin }) => {
        const { firstBad, firstFixed } = edgesOf(search(truth, origin));
        expect({ firstBad: foundAt(firstBad), firstFixed: foundAt(firstFixed) }).toEqual(
          bruteForce(truth, origin),
        );
      }),
    );
  });

  test("the doubts of a search that was not cut off are exactly the untestable items at the flip (V4)", () => {
    assert(
      property(lines, ({ truth, origin }) => {
        const line = search(truth, origin);
        const { firstBad } = edgesOf(line);
        expect(firstBad.type).not.toBe("unknown");
        const end = firstBad.type === "found" ? firstBad.index : truth.indexOf("bad");
        const start = truth.lastIndexOf("good", end);
        const between = truth.flatMap((state, index) =>
          state === "untestable" && index > start && index < end ? [index] : [],
        );
        expect(firstBad.doubts).toEqual(between);
      }),
    );
  });

  test("a search that is cut off never reports a flip as exact that running every item would place elsewhere (V4)", () => {
    assert(
      property(lines, nat(40), ({ truth, origin }, budget) => {
        const truthful = bruteForce(truth, origin);
        const { firstBad, firstFixed } = edgesOf(search(truth, origin, true, budget));
        const isWrong = (edge: Edge, expected: number | null): boolean =>
          edge.type === "none"
            ? expected !== null
            : edge.type === "found" &&
              edge.doubts.length + edge.unconfirmed.length === 0 &&
              edge.index !== expected;
        expect(isWrong(firstBad, truthful.firstBad)).toBe(false);
        expect(isWrong(firstFixed, truthful.firstFixed)).toBe(false);
      }),
    );
  });

  test("without confirmation the search runs a logarithmic number of items if the bug came and went once (V4)", () => {
    assert(
      property(nat(300), nat(300), nat(300), nat(300), (before, older, newer, after) => {
        const truth: ProbeState[] = [
          ...Array<ProbeState>(before).fill("good"),
          ...Array<ProbeState>(older + 1 + newer).fill("bad"),
          ...Array<ProbeState>(after).fill("good"),
        ];
        const origin = before + older;
        const line = search(truth, origin, false);
        expect(foundAt(edgesOf(line).firstBad)).toBe(before === 0 ? null : before);
        expect(foundAt(edgesOf(line).firstFixed)).toBe(after === 0 ? null : before + older + 1 + newer);
        expect(line.states.size).toBeLessThanOrEqual(4 * Math.ceil(Math.log2(truth.length + 1)) + 6);
      }),
    );
  });

  test("a long region that cannot be tested costs few runs as long as the flip is elsewhere (V4)", () => {
    const region = (good: number, bad: number, untestable: number, rest: number): ProbeState[] => [
      ...Array<ProbeState>(good).fill("good"),
      ...Array<ProbeState>(bad).fill("bad"),
      ...Array<ProbeState>(untestable).fill("untestable"),
      ...Array<ProbeState>(rest).fill("bad"),
    ];
    for (const truth of [region(200, 100, 400, 300), region(500, 100, 400, 1), region(900, 10, 60, 30)]) {
      const line = search(truth, truth.length - 1, false);
      expect(edgesOf(line).firstBad).toMatchObject({
        type: "found",
        index: truth.indexOf("bad"),
        doubts: [],
      });
      expect(line.states.size).toBeLessThanOrEqual(30);
    }
  });

  test("the search stays in the reported version's bad run if the bug came back later (V4, V10)", () => {
    const truth: ProbeState[] = ["bad", "good", "bad", "bad", "good", "bad", "bad", "good", "bad"];
    const line = search(truth, 3);
    expect(edgesOf(line)).toEqual({
      firstBad: { type: "found", index: 2, doubts: [], unconfirmed: [] },
      firstFixed: { type: "found", index: 4, doubts: [], unconfirmed: [] },
    });
  });

  test("the search runs items beyond the bad run last, and then reports every flip (V4)", () => {
    assert(
      property(lines, ({ truth, origin }) => {
        let line = search(truth, origin);
        const edges = edgesOf(line);
        for (let index = nextBeyond(line); index !== null; index = nextBeyond(line))
          line = withState(line, index, truth[index] ?? "untestable");
        expect(edgesOf(line)).toEqual(edges);
        expect(nextProbe(line, EXACT)).toBeNull();
        const told = truth.flatMap((state, index) => (state === "untestable" ? [] : [{ index, state }]));
        const flips = told.filter(({ state }, at) => at === 0 || told[at - 1]?.state !== state);
        expect(flipsOf(line).map(({ index, state }) => ({ index, state }))).toEqual(
          flips.map(({ index, state }) => ({ index, state })),
        );
      }),
    );
  });

  test("a line rejects an origin outside of it", () => {
    expect(() => startLine(3, 3)).toThrow("has no index 3");
    expect(() => startLine(3, -1)).toThrow("has no index -1");
  });
});
