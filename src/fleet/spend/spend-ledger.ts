import type { Clock, Ids } from "agent-tty/kit";
import { z } from "zod";
import type { FollowedRepository } from "../repositories/index.ts";
import type { Sql } from "../sql/index.ts";
import { type FleetBudget, findSpentBudget, monthOf, type Spent, type SpentBudget } from "./budget.ts";

/** The Triage Runs of a fleet and what they cost, by repository, owner and month. All processes of the fleet share it. */
export interface SpendLedger {
  /**
   * Enters a Triage Run that is about to begin with its maximum cost, unless a monthly budget is spent. Earlier entries of the
   * issue that never ended are closed: their processes died. If the issue has a checkpoint, their cost is set to 0, because the
   * Triage Run that continues from the checkpoint includes the earlier cost; otherwise they keep their maximum cost. Rejects with
   * FLEET_DATABASE_UNAVAILABLE.
   */
  admit(run: StartingRun): Promise<Admission>;
  /** Returns the spend of each repository in `month`, the most expensive first. */
  ofMonth(month: string): Promise<RepositorySpend[]>;
  /** Returns how many Triage Runs of the issue failed since its last one that was applied. */
  failures(repositoryId: number, number: number): Promise<number>;
}

export interface StartingRun {
  repository: FollowedRepository;
  number: number;
  atMost: Spent;
  /** Whether a checkpoint of the issue is stored: a Triage Agent's result that was paid for and not published. */
  hasCheckpoint: boolean;
}

export type Admission =
  | { type: "admitted"; settle: (end: RunEnd) => Promise<void>; withdraw: () => Promise<void> }
  | { type: "refused"; budget: SpentBudget };

/** The final state of a Triage Run, from its summary, and its cost. */
export interface RunEnd extends Spent {
  state: string;
}

export interface RepositorySpend extends Spent {
  repositoryId: number;
  repository: string;
  owner: string;
  runs: number;
  /**
   * The number of runs whose fleet worker died. The sums contain their maximum cost, or 0 where a checkpoint records the cost.
   */
  lost: number;
}

const sums = z.object({
  repository_usd: z.coerce.number(),
  repository_tokens: z.coerce.number(),
  owner_usd: z.coerce.number(),
  owner_tokens: z.coerce.number(),
  fleet_usd: z.coerce.number(),
  fleet_tokens: z.coerce.number(),
});
const spendRow = z.object({
  repository_id: z.coerce.number(),
  repository: z.string(),
  owner: z.string(),
  runs: z.coerce.number(),
  lost: z.coerce.number(),
  micro_usd: z.coerce.number(),
  tokens: z.coerce.number(),
});

/**
 * Returns the fleet's spend ledger in its database, by repository, owner and calendar month (UTC). It admits runs within the
 * budget.
 */
export function openSpendLedger(
  sql: Sql,
  budget: FleetBudget,
  { clock, ids }: { clock: Clock; ids: Ids },
): SpendLedger {
  const run = async (statement: string, ...values: (string | number | null)[]): Promise<void> => {
    await sql.rows(z.unknown(), statement, ...values);
  };
  return {
    admit: async ({ repository, number, atMost, hasCheckpoint }) => {
      const [runKey, nowMs] = [ids.hex(8), clock.nowMs()];
      const [owner, month] = [ownerOf(repository), monthOf(nowMs)];
      await run(
        `update fleet_run set state = 'lost', ended_at_ms = $3${hasCheckpoint ? ", micro_usd = 0, tokens = 0" : ""}
         where repository_id = $1 and number = $2 and state = 'running'`,
        repository.id,
        number,
        nowMs,
      );
      // The run is entered before the sums are read: if two runs begin at once, at least one of them sees both entries, so no
      // budget is exceeded.
      await run(
        `insert into fleet_run (run_key, repository_id, number, repository, owner, month, state, micro_usd, tokens, started_at_ms)
         values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9)`,
        runKey,
        repository.id,
        number,
        repository.name,
        owner,
        month,
        microUsd(atMost.usd),
        atMost.tokens,
        nowMs,
      );
      const withdraw = (): Promise<void> => run("delete from fleet_run where run_key = $1", runKey);
      const refused = findSpentBudget(await spentIn(month, repository.id, owner), atMost, budget);
      if (refused !== null) {
        await withdraw();
        return { type: "refused", budget: refused };
      }
      return {
        type: "admitted",
        withdraw,
        settle: ({ state, usd, tokens }) =>
          run(
            "update fleet_run set state = $2, micro_usd = $3, tokens = $4, ended_at_ms = $5 where run_key = $1",
            runKey,
            state,
            microUsd(usd),
            tokens,
            clock.nowMs(),
          ),
      };
    },
    ofMonth: async (month) => {
      const rows = await sql.rows(
        spendRow,
        `select repository_id, max(repository) as repository, max(owner) as owner, count(*) as runs,
         sum(case when state = 'lost' then 1 else 0 end) as lost, sum(micro_usd) as micro_usd, sum(tokens) as tokens
         from fleet_run where month = $1 group by repository_id order by sum(micro_usd) desc, sum(tokens) desc, repository_id`,
        month,
      );
      return rows.map(
        ({ repository_id: repositoryId, repository, owner, runs, lost, micro_usd: micro, tokens }) => {
          return { repositoryId, repository, owner, runs, lost, usd: micro / 1e6, tokens };
        },
      );
    },
    failures: async (repositoryId, number) => {
      const [row] = await sql.rows(
        z.object({ count: z.coerce.number() }),
        `select count(*) as count from fleet_run where repository_id = $1 and number = $2 and state = 'failed' and started_at_ms >
         (select coalesce(max(started_at_ms), 0) from fleet_run where repository_id = $1 and number = $2 and state = 'applied')`,
        repositoryId,
        number,
      );
      return row?.count ?? 0;
    },
  };

  async function spentIn(month: string, repositoryId: number, owner: string) {
    const of = (column: string, condition: string): string =>
      `coalesce(sum(case when ${condition} then ${column} else 0 end), 0)`;
    const [row] = await sql.rows(
      sums,
      `select ${of("micro_usd", "repository_id = $2")} as repository_usd, ${of("tokens", "repository_id = $2")} as repository_tokens,
       ${of("micro_usd", "owner = $3")} as owner_usd, ${of("tokens", "owner = $3")} as owner_tokens,
       ${of("micro_usd", "1 = 1")} as fleet_usd, ${of("tokens", "1 = 1")} as fleet_tokens from fleet_run where month = $1`,
      month,
      repositoryId,
      owner,
    );
    const spent = (usd = 0, tokens = 0): Spent => ({ usd: usd / 1e6, tokens });
    return {
      repository: spent(row?.repository_usd, row?.repository_tokens),
      owner: spent(row?.owner_usd, row?.owner_tokens),
      fleet: spent(row?.fleet_usd, row?.fleet_tokens),
    };
  }
}

function ownerOf({ name }: FollowedRepository): string {
  return (name.split("/")[0] ?? "").toLowerCase();
}

function microUsd(usd: number): number {
  return Math.round(usd * 1e6);
}
