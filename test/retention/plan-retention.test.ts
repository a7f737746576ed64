import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Hold,
  issuesToAskFor,
  type KeptUnit,
  planRetention,
  RECENT_MS,
  type RetentionFacts,
  type RetentionLimits,
} from "../../src/retention/plan-retention.ts";
import { propertyRuns } from "../support/property-runs.ts";

const NOW = 1_000 * 86_400_000;
const ISSUES = ["o/r#1", "o/r#2", "o/r#3", "o/r#4"];

const unit = fc.record({
  kind: fc.constantFrom<KeptUnit["kind"]>(
    "triage-run",
    "audit-log",
    "session",
    "github-response",
    "checkpoint",
  ),
  bytes: fc.nat({ max: 1_000 }),
  changedAtMs: fc.integer({ min: NOW - 200 * 86_400_000, max: NOW + RECENT_MS }),
  holds: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray<Hold>(["live", "checkpoint", "reproduction", "undo"]) },
  ),
  issue: fc.option(fc.constantFrom(...ISSUES)),
});

const home: fc.Arbitrary<RetentionFacts> = fc.record({
  units: fc
    .array(unit, { maxLength: 40 })
    .map((units) => units.map((one, index) => ({ ...one, path: `runs/${index}` }))),
  issues: fc
    .dictionary(fc.constantFrom(...ISSUES), fc.constantFrom("open" as const, "closed" as const))
    .map((issues) => new Map(Object.entries(issues))),
});

const limits: fc.Arbitrary<RetentionLimits> = fc.record({
  ageMs: fc.option(fc.integer({ min: 1, max: 200 * 86_400_000 })),
  sizeBytes: fc.option(fc.nat({ max: 20_000 })),
});

/** States the rule independently of the plan's own code. */
function isNeeded({ holds, issue, changedAtMs }: KeptUnit, { issues }: RetentionFacts): boolean {
  return (
    holds.length > 0 || changedAtMs > NOW - RECENT_MS || (issue !== null && issues.get(issue) !== "closed")
  );
}

const sizeOf = (units: readonly KeptUnit[]): number => units.reduce((sum, { bytes }) => sum + bytes, 0);

function holds(law: (facts: RetentionFacts, limits: RetentionLimits) => void): void {
  fc.assert(fc.property(home, limits, law), { numRuns: propertyRuns(300, 20_000) });
}

test("the plan removes nothing that is needed, and each unit is either removed or kept with a reason", () => {
  holds((facts, limit) => {
    const { remove, keep } = planRetention(facts, limit, NOW);
    expect(remove.filter((entry) => isNeeded(entry.unit, facts))).toEqual([]);
    const paths = [...remove, ...keep].map((entry) => entry.unit.path);
    expect(paths.toSorted()).toEqual(facts.units.map(({ path }) => path).toSorted());
  });
});

test("the plan brings the home below the size limit if removing unneeded files is enough", () => {
  holds((facts, limit) => {
    const plan = planRetention(facts, limit, NOW);
    const needed = sizeOf(facts.units.filter((one) => isNeeded(one, facts)));
    expect(plan.bytesAfter).toBe(sizeOf(plan.keep.map((entry) => entry.unit)));
    if (limit.sizeBytes === null) return;
    if (needed <= limit.sizeBytes) expect(plan.bytesAfter).toBeLessThanOrEqual(limit.sizeBytes);
    else expect(plan.bytesAfter).toBe(needed);
    expect(plan.isOverSize).toBe(needed > limit.sizeBytes);
  });
});

test("the plan removes the oldest units first, keeps none that is too old, and removes none without need", () => {
  holds((facts, limit) => {
    const { remove, keep } = planRetention(facts, limit, NOW);
    const free = keep
      .filter(({ reason }) => reason === "within-limits")
      .map((entry) => entry.unit.changedAtMs);
    const removed = remove.map((entry) => entry.unit.changedAtMs);
    expect(removed).toEqual(removed.toSorted((one, other) => one - other));
    if (removed.length > 0 && free.length > 0) expect(removed.at(-1)).toBeLessThanOrEqual(Math.min(...free));
    const { ageMs } = limit;
    if (ageMs !== null) expect(free.every((atMs) => NOW - atMs <= ageMs)).toBe(true);
    const last = remove.at(-1);
    if (last?.reason !== "size") return;
    // Before the last removal the home was still too large.
    const left = sizeOf(keep.map((entry) => entry.unit));
    expect(left + last.unit.bytes).toBeGreaterThan(limit.sizeBytes ?? Infinity);
  });
});

test("a second pass removes nothing, and a first pass without limits removes nothing", () => {
  holds((facts, limit) => {
    const { keep } = planRetention(facts, limit, NOW);
    const left = { ...facts, units: keep.map((entry) => entry.unit) };
    expect(planRetention(left, limit, NOW).remove).toEqual([]);
    expect(planRetention(facts, { ageMs: null, sizeBytes: null }, NOW).remove).toEqual([]);
  });
});

test("prune asks GitHub for an issue exactly when its state decides whether a unit is removed", () => {
  holds((facts, limit) => {
    const asked = [...issuesToAskFor(facts, limit, NOW).keys()];
    expect(asked.filter((key) => facts.issues.has(key))).toEqual([]);
    const closed = new Map([...facts.issues, ...asked.map((key) => [key, "closed"] as const)]);
    const before = planRetention(facts, limit, NOW).remove.length;
    const after = planRetention({ ...facts, issues: closed }, limit, NOW).remove;
    if (asked.length === 0) expect(after).toHaveLength(before);
    else expect(after.some((entry) => asked.includes(entry.unit.issue ?? ""))).toBe(true);
  });
});
