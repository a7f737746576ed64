import { expect, test } from "vitest";
import { trustSchema } from "../../src/board/index.ts";
import { trustDocument } from "../../src/board/source/trust-document.ts";
import { evaluate, type TrustFact } from "../../src/trust/index.ts";

const urlOf = (repo: string, number: number): string => `https://github.test/${repo}/issues/${number}`;

test("the trust document names the facts of the chosen repository that cannot be read (B7, E5)", () => {
  const damaged = ["o/one", "o/two"].map((repo) => ({ runId: "r", repo, number: 1, problem: "no kind" }));
  const named = (repo: string | null): number => trustDocument([], repo, urlOf, damaged).damaged.length;
  expect([named(null), named("o/two"), named("o/three")]).toEqual([2, 1, 0]);
});

test("the trust document has the groups and the calibration of `eval`, by repository (E5)", () => {
  const facts = [...accepted("o/one", 1), ...accepted("o/two", 2), ...rejected("o/two", 3)];
  const all = trustSchema.parse(trustDocument(facts, null, urlOf, []));
  const { groups, calibration } = evaluate(facts);
  expect(all).toMatchObject({ repos: ["o/one", "o/two"], repo: null, groups, calibration });
  const one = trustDocument(facts, "o/one", urlOf, []);
  expect(one.groups).toEqual(evaluate(accepted("o/one", 1)).groups);
  // All repositories can still be chosen.
  expect(one.repos).toEqual(["o/one", "o/two"]);
});

test("the trust document lists what each kind has earned, and all moves and vetoes, newest first (E4, E5)", () => {
  const record = Array.from({ length: 73 }, (_, index) => accepted("o/r", index + 1)).flat();
  const veto = fact("vetoed", 0, 10_000, { kind: "close", by: "maria" });
  const detail = { from: "suggest", to: "apply", why: "proven", judged: 73, accepted: 73, lower: 0.95 };
  const move = fact("moved", 73, 9_000, { kind: "needs-info", ...detail });
  const { earned, moves, bar } = trustDocument([...record, move, veto], null, urlOf, []);
  expect(bar).toBe(0.95);
  expect(earned).toEqual([
    { repo: "o/r", kind: "needs-info", level: "apply", isHeld: false, judged: 0, accepted: 0, lower: 0 },
    { repo: "o/r", kind: "close", level: "suggest", isHeld: true, judged: 0, accepted: 0, lower: 0 },
  ]);
  expect(moves.map(({ why, kind, by, number }) => [why, kind, by, number])).toEqual([
    ["vetoed", "close", "maria", null],
    ["proven", "needs-info", null, 73],
  ]);
});

test("the trust document lists at most 100 outcomes that people did not accept, with the person, the delay and the alternative (E3, E5)", () => {
  const facts = Array.from({ length: 120 }, (_, index) => rejected("o/r", index + 1)).flat();
  const overridden = fact("overridden", 7, 500_000, {
    by: { id: 2, login: "sam", permission: "write" },
    source: "timeline",
    afterMs: 60_000,
    how: "reopened",
    to: null,
  });
  const { overrides } = trustDocument([...facts, overridden], null, urlOf, []);
  expect(overrides).toHaveLength(100);
  expect(overrides[0]).toMatchObject({
    number: 7,
    how: "reopened",
    instead: "",
    by: "sam",
    permission: "write",
  });
  expect(overrides[1]).toEqual({
    repo: "o/r",
    number: 120,
    issueUrl: "https://github.test/o/r/issues/120",
    kind: "needs-info",
    atMs: 120_500,
    how: "rejected",
    instead: "we know",
    by: "maria",
    permission: "maintain",
    afterMs: 500,
  });
});

function accepted(repo: string, number: number): TrustFact[] {
  return [decided(repo, number), fact("stood", number, number * 1_000 + 500, { afterMs: 500 }, repo)];
}

function rejected(repo: string, number: number): TrustFact[] {
  const by = { id: 1, login: "maria", permission: "maintain" };
  const answer = { by, source: "comment", afterMs: 500, answer: "reject" as const, why: "we know" };
  return [decided(repo, number), fact("answered", number, number * 1_000 + 500, answer, repo)];
}

function decided(repo: string, number: number): TrustFact {
  const detail = {
    kind: "needs-info" as const,
    state: "needs-info",
    category: null,
    confidence: "high" as const,
    close: null,
    level: "apply" as const,
    policy: [],
    commentId: null,
    evidence: null,
    ms: 0,
    snapshotHash: "",
    model: "m",
    prompt: "p",
    usd: 0.1,
    tokens: 1,
  };
  return fact("decided", number, number * 1_000, detail, repo);
}

function fact<Type extends TrustFact["type"]>(
  type: Type,
  number: number,
  atMs: number,
  detail: Extract<TrustFact, { type: Type }>["detail"],
  repo = "o/r",
): TrustFact {
  const place = { key: `${type}-${repo}-${number}-${atMs}`, repo, number, runId: `run-${number}`, atMs };
  return { ...place, type, detail } as TrustFact;
}
