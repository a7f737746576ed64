import { expect, test } from "vitest";
import { type AutonomySettings, effectiveLevel, factsOfType, type TrustFact } from "../../src/trust/index.ts";
import { settleAutonomy } from "../../src/triage/batch/trust/index.ts";
import { BEGIN_MS, decidedFact } from "./decided-fact.ts";

type Judging = "endorsed" | "overridden";

const by = { id: 1, login: "maintainer", permission: "write" };
const autonomy: AutonomySettings = {
  "needs-triage": "apply",
  "needs-info": "earned",
  "ready-for-agent": "apply",
  "ready-for-human": "apply",
  close: "apply",
};

/**
 * Opens the trust facts of one repository whose outcomes people judge. `settle` records the moves of autonomy, as each batch
 * does.
 */
function openRecord() {
  const facts: TrustFact[] = [];
  const record = (fact: TrustFact): void =>
    void (facts.some(({ key }) => key === fact.key) || facts.push(fact));
  const audited: string[] = [];
  const append = (_action: string, _ref: object, fact: object): Promise<void> => {
    audited.push("to" in fact ? String(fact.to) : "");
    return Promise.resolve();
  };
  const judge = (number: number, type: Judging, atMs: number): void => {
    const place = { key: `${type}:${number}`, repo: "o/r", number, runId: "r", atMs };
    const told = { by, source: "", afterMs: 1 };
    record(
      type === "endorsed"
        ? { ...place, type, detail: { ...told, how: "reaction" } }
        : { ...place, type, detail: { ...told, how: "undone", to: null } },
    );
  };
  return {
    audited,
    moves: () => factsOfType(facts, "moved").map(({ detail }) => detail.to),
    level: () => effectiveLevel("needs-info", autonomy, facts),
    decide: (number: number) => record(decidedFact(number)),
    judge,
    endorse: (from: number, count: number): void => {
      for (let number = from; number < from + count; number += 1) {
        record(decidedFact(number));
        judge(number, "endorsed", BEGIN_MS);
      }
    },
    settle: () =>
      settleAutonomy("o/r", {
        runId: "b",
        settings: { autonomy },
        trust: { facts: () => facts, record } as never,
        audit: { append },
        ports: { clock: { nowMs: () => BEGIN_MS }, observe: () => undefined } as never,
      }),
  };
}

test("an earlier endorsement that is read later does not undo a fall (E4)", async () => {
  const record = openRecord();
  record.endorse(1, 73);
  for (const number of [100, 101, 102, 200]) record.decide(number);
  for (const number of [100, 101, 102]) record.judge(number, "overridden", BEGIN_MS + number);
  await record.settle();
  expect(record.level()).toBe("suggest");
  record.judge(200, "endorsed", BEGIN_MS + 101);
  await record.settle();
  expect(record.level()).toBe("suggest");
  expect(record.moves()).toEqual(["apply", "suggest"]);
});

test("an override of an accepted outcome counts from then on, and every later move is recorded (E4)", async () => {
  const record = openRecord();
  record.endorse(1, 73);
  await record.settle();
  record.judge(1, "overridden", BEGIN_MS + 1);
  await record.settle();
  // One override does not lower the earned level.
  expect(record.level()).toBe("apply");
  for (const number of [2, 3]) record.judge(number, "overridden", BEGIN_MS + number);
  await record.settle();
  expect(record.level()).toBe("suggest");
  record.endorse(1_000, 73);
  await record.settle();
  expect(record.level()).toBe("apply");
  expect(record.moves()).toEqual(["apply", "suggest", "apply"]);
  expect(record.audited).toEqual(record.moves());
});

test("an outcome that is stored after its override is judged when it is stored (E4)", () => {
  const record = openRecord();
  for (const number of [1, 2, 3]) record.judge(number, "overridden", BEGIN_MS);
  expect(record.level()).toBe("suggest");
  for (const number of [1, 2, 3]) record.decide(number);
  expect(record.level()).toBe("shadow");
});
