import { array, assert, constant, constantFrom, option, property, record } from "fast-check";
import { expect, test } from "vitest";
import type { CauseChange, CauseTie, SameCauseFacts } from "../../../src/evidence/index.ts";
import { decideSameCause } from "../../../src/evidence/same-cause/decide-same-cause.ts";

const FIX = "f".repeat(40);
const ORIGIN = "a".repeat(40);
const fixes = { before: "bad", at: "good" } as const;
const breaks = { before: "good", at: "bad" } as const;
const part: CauseTie = { type: "part", lines: 2 };

function change(over: Partial<CauseChange> = {}): CauseChange {
  return { kind: "first-fixed", commit: FIX, first: fixes, second: fixes, ...over };
}

function check(facts: Partial<SameCauseFacts>, expected: string): void {
  expect(decideSameCause({ changes: [], shared: [], tie: null, ...facts }).type).toBe(expected);
}

test("two reproductions that flip at each other's fix for the same reason are proven duplicates (D5)", () => {
  check({ changes: [change()], tie: part }, "proven");
  const later = change({ commit: "e".repeat(40) });
  check({ changes: [change(), later], tie: part }, "proven");
});

test("two open bugs that one commit introduced for the same reason are proven duplicates (D5)", () => {
  const origin = change({ kind: "first-bad", commit: ORIGIN, first: breaks, second: breaks });
  check({ changes: [origin], tie: { type: "calls", call: "parse('a')" } }, "proven");
});

test("a shared commit alone proves nothing, because it may hold several changes (D5)", () => {
  const decided = decideSameCause({ changes: [change()], shared: [], tie: null });
  expect(decided).toMatchObject({ type: "undecided", change: { commit: FIX } });
});

test("reproductions that disagree on any commit have different causes, whatever ties them (D5)", () => {
  const stillBad = change({ second: { before: "bad", at: "bad" } });
  check({ changes: [stillBad], tie: part }, "different");
  const origin = change({
    kind: "first-bad",
    commit: ORIGIN,
    first: breaks,
    second: { before: "bad", at: "bad" },
  });
  check({ changes: [change(), origin], tie: part }, "different");
  check(
    { changes: [change()], shared: [{ commit: ORIGIN, first: "bad", second: "good" }], tie: part },
    "different",
  );
});

test("the cause is undecided if one side cannot be run (D5)", () => {
  const untested = change({ second: { before: "untestable", at: "good" } });
  check({ changes: [untested], tie: part }, "undecided");
  check({ changes: [], tie: part }, "undecided");
});

test("the first bad commit does not decide if a fix is known but could not be run (D5)", () => {
  const origin = change({ kind: "first-bad", commit: ORIGIN, first: breaks, second: breaks });
  const fix = change({ second: { before: "bad", at: "untestable" } });
  check({ changes: [origin, fix], tie: part }, "undecided");
});

const state = constantFrom("bad" as const, "good" as const, "untestable" as const);
const sides = record({ before: state, at: state });
const changes = array(
  record({
    kind: constantFrom("first-bad" as const, "first-fixed" as const),
    commit: constantFrom(FIX, ORIGIN),
    first: sides,
    second: sides,
  }),
  { maxLength: 4 },
);

test("the decision does not depend on the order of the issues, and a proof needs a tie (D5)", () => {
  assert(
    property(changes, option(constant(part)), (some, tie) => {
      const decided = decideSameCause({ changes: some, shared: [], tie });
      const swapped = some.map((one) => ({ ...one, first: one.second, second: one.first }));
      expect(decideSameCause({ changes: swapped, shared: [], tie }).type).toBe(decided.type);
      if (decided.type === "proven") expect(tie).not.toBeNull();
    }),
  );
});
