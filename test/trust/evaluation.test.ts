import { expect, test } from "vitest";
import { evaluate, openTrustLedger, type TrustFact } from "../../src/trust/index.ts";
import { openBatchTrust } from "../../src/triage/batch/batch-trust.ts";
import { BEGIN_MS, decidedFact } from "./decided-fact.ts";

const EVERYTHING = {
  "needs-triage": "apply",
  "needs-info": "apply",
  "ready-for-agent": "apply",
  "ready-for-human": "apply",
  close: "apply",
} as const;
const DAY_MS = 24 * 3_600_000;
function outcome(number: number, change: Parameters<typeof decidedFact>[1] = {}, atMs = BEGIN_MS): TrustFact {
  return decidedFact(number, change, { atMs });
}

const place = (number: number, type: string) => ({
  key: `${type}:${number}`,
  repo: "o/r",
  number,
  runId: "r",
  atMs: BEGIN_MS,
});
const by = { id: 1, login: "maintainer", permission: "write" };

test("an evaluation counts acceptance, overrides, reopened issues, replies and cost by week, kind, model and prompt (E5)", () => {
  const facts: TrustFact[] = [
    outcome(1),
    outcome(2, { kind: "close", close: "not_planned", model: "large", usd: 2 }),
    outcome(3, { confidence: "low" }, BEGIN_MS + 7 * DAY_MS),
    outcome(4, { prompt: "p2" }),
    { ...place(1, "stood"), type: "stood", detail: { afterMs: 1 } },
    { ...place(1, "replied"), type: "replied", detail: { afterMs: 60_000 } },
    { ...place(4, "replied"), type: "replied", detail: { afterMs: 20_000 } },
    {
      ...place(2, "overridden"),
      type: "overridden",
      detail: { how: "reopened", to: null, by, source: "", afterMs: 1 },
    },
    // An issue that was closed and reopened.
    {
      ...place(2, "overridden"),
      key: "overridden:2:again",
      type: "overridden",
      detail: { how: "reopened", to: null, by, source: "", afterMs: 2 },
    },
    { ...place(3, "endorsed"), type: "endorsed", detail: { how: "reaction", by, source: "", afterMs: 1 } },
  ];
  const { groups, calibration } = evaluate(facts);
  expect(groups.all).toMatchObject([
    {
      decided: 4,
      judged: 3,
      accepted: 2,
      overridden: 1,
      reopened: 1,
      medianReplyMs: 40_000,
      usd: 3.5,
      usdPerAccepted: 1.75,
    },
  ]);
  expect(groups.all[0]?.acceptance).toMatchObject({ rate: 2 / 3 });
  expect(groups.week.map(({ value, decided }) => [value, decided])).toEqual([
    ["2026-11-02", 3],
    ["2026-11-09", 1],
  ]);
  expect(groups.kind.map(({ value, accepted, judged }) => [value, accepted, judged])).toEqual([
    ["close", 0, 1],
    ["needs-info", 2, 2],
  ]);
  expect(groups.model.map(({ value, usdPerAccepted }) => [value, usdPerAccepted])).toEqual([
    ["large", null],
    ["small", 0.75],
  ]);
  expect(groups.prompt.map(({ value }) => value)).toEqual(["p1", "p2"]);
  expect(calibration.map(({ value, judged }) => [value, judged])).toEqual([
    ["high", 2],
    ["low", 1],
  ]);
  expect(evaluate([]).groups.all).toEqual([]);
});

test("a fact that cannot be read is left out of views and named; autonomy does not go on without it (B7, E4, E5)", () => {
  // A later version might write such a fact.
  const later = { ...outcome(2), detail: { kind: "a later kind" } };
  const store = { trustFacts: () => [outcome(1), later], recordTrustFact: () => true };
  const ledger = openTrustLedger(store);
  const { facts, damaged } = ledger.readable(null);
  expect(facts).toEqual([outcome(1)]);
  expect(damaged).toMatchObject([{ repo: "o/r", number: 2, runId: "r" }]);
  expect(damaged[0]?.problem).toContain("decided:o/r#2");
  expect(() => ledger.of("o/r")).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
});

test("a batch that cannot read the trust facts withholds the outcomes whose level is earned, and no others (E4)", () => {
  const later = { ...outcome(2), detail: { kind: "a later kind" } };
  const warnings: string[] = [];
  const trust = openBatchTrust(
    { autonomy: { ...EVERYTHING, "needs-info": "earned" }, dryRun: false },
    {
      store: { trustFacts: () => [outcome(1), later], recordTrustFact: () => true },
      reader: { permission: () => Promise.resolve("unknown") },
      observe: (event) => event.type === "warning" && warnings.push(event.message),
    },
  );
  const target = { category: null, close: null, labels: "set" } as const;
  // It may have fallen below the level at which a record begins.
  expect(trust.levelOf("o/r", { ...target, state: "needs-info" })).toBe("shadow");
  expect(trust.levelOf("o/r", { ...target, state: "ready-for-human" })).toBe("apply");
  expect(warnings.join()).toContain("decided:o/r#2");
});
