import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type FleetBudget,
  type FollowedRepository,
  monthOf,
  openSpendLedger,
  openSqliteSql,
} from "../../src/fleet/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const none = { usd: null, tokens: null };
const open: FleetBudget = { repository: none, owner: none, fleet: none };
const repositoryOf = (id: number, owner = "octo"): FollowedRepository => ({
  id,
  name: `${owner}/r${id}`,
  installationId: null,
});

async function ledgerStage(budget: FleetBudget, nowMs = Date.UTC(2026, 10, 5)) {
  const directory = await temporaryDirectory();
  const time = { nowMs };
  const clock = { ...systemClock, nowMs: () => time.nowMs };
  const sql = await openSqliteSql(`${directory.path}/fleet.sqlite`, clock);
  const ledger = openSpendLedger(sql, budget, { clock, ids: systemIds(clock) });
  return {
    ledger,
    time,
    /** Enters a Triage Run that costs `usd` and may cost at most `atMost`; returns the scope whose budget refused it, or null. */
    spend: async (
      repository: FollowedRepository,
      number: number,
      usd: number,
      atMost = usd,
      hasCheckpoint = false,
    ) => {
      const limit = { usd: atMost, tokens: 0 };
      const admission = await ledger.admit({ repository, number, atMost: limit, hasCheckpoint });
      if (admission.type === "refused") return admission.budget.scope;
      await admission.settle({ state: "applied", usd, tokens: 10 });
      return null;
    },
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("a repository, an owner or a fleet whose monthly budget is spent waits until the next month (F5)", async () => {
  const budget = {
    repository: { usd: 2, tokens: null },
    owner: { usd: 3, tokens: null },
    fleet: { usd: 5, tokens: null },
  };
  await using stage = await ledgerStage(budget);
  const [one, other, foreign] = [repositoryOf(1), repositoryOf(2), repositoryOf(3, "acme")];
  expect(await stage.spend(one, 1, 1)).toBe(null);
  expect(await stage.spend(one, 2, 1)).toBe(null);
  expect(await stage.spend(one, 3, 1)).toBe("repository");
  expect(await stage.spend(other, 1, 1)).toBe(null);
  expect(await stage.spend(other, 2, 1)).toBe("owner");
  expect(await stage.spend(foreign, 1, 2)).toBe(null);
  expect(await stage.spend(repositoryOf(4, "third"), 1, 1)).toBe("fleet");
  stage.time.nowMs = Date.UTC(2026, 11, 1);
  expect(await stage.spend(one, 3, 1)).toBe(null);
});

test("Triage Runs that begin at once never exceed the budget together, because each is entered with its maximum cost (F5)", async () => {
  await using stage = await ledgerStage({ ...open, repository: { usd: 1, tokens: null } });
  const admissions = await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      stage.ledger.admit({
        repository: repositoryOf(1),
        number,
        atMost: { usd: 0.5, tokens: 0 },
        hasCheckpoint: false,
      }),
    ),
  );
  expect(admissions.filter(({ type }) => type === "admitted").length).toBeLessThanOrEqual(2);
});

test("the ledger records spend by owner, and charges a killed worker's run its maximum cost unless a checkpoint has the actual cost (F5)", async () => {
  await using stage = await ledgerStage(open);
  await stage.spend(repositoryOf(1), 1, 0.25);
  await stage.spend(repositoryOf(2, "acme"), 1, 4);
  // The process of this run died: the next process that takes the issue closes the entry.
  await stage.ledger.admit({
    repository: repositoryOf(1),
    number: 2,
    atMost: { usd: 9, tokens: 0 },
    hasCheckpoint: false,
  });
  await stage.spend(repositoryOf(1), 2, 0.5);
  // The Triage Agent of this run had delivered: the run that continues from the checkpoint records its cost.
  const atMost = { usd: 7, tokens: 0 };
  await stage.ledger.admit({ repository: repositoryOf(2, "acme"), number: 2, atMost, hasCheckpoint: true });
  await stage.spend(repositoryOf(2, "acme"), 2, 1, 1, true);
  expect(await stage.ledger.ofMonth(monthOf(stage.time.nowMs))).toEqual([
    { repositoryId: 1, repository: "octo/r1", owner: "octo", runs: 3, lost: 1, usd: 9.75, tokens: 20 },
    { repositoryId: 2, repository: "acme/r2", owner: "acme", runs: 3, lost: 1, usd: 5, tokens: 20 },
  ]);
});
