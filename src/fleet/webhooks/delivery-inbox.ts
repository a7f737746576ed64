import { setImmediate } from "node:timers/promises";
import { type Clock, messageOf } from "agent-tty/kit";
import { z } from "zod";
import type { VisitQueue } from "../queue/index.ts";
import { followedRepositories } from "../repositories/index.ts";
import type { Sql } from "../sql/index.ts";
import { type DeliveryPlan, deliveryPlan } from "./plan-delivery.ts";

/** The plans of deliveries, stored before GitHub gets its answer and carried out after it. */
export interface DeliveryInbox {
  /**
   * Stores the plan of a delivery durably. Returns false if a delivery with this GUID is already stored. Rejects with an
   * OperationalError.
   */
  store(guid: string, plan: DeliveryPlan): Promise<boolean>;
  /**
   * Carries out every stored plan, then waits for the next, until `stop` aborts. A kill in between loses nothing: plans can be
   * repeated.
   */
  work(stop: AbortSignal): Promise<void>;
  /**
   * Carries out every stored plan once. Rejects with an OperationalError; plans that were not carried out stay stored. A plan that
   * this version of the program cannot read is reported and set aside; the next inbox that is opened tries it again.
   */
  drain(): Promise<void>;
}

/**
 * The pause, in milliseconds, after which an unreachable database is asked again, and plans that a killed process left are found.
 */
const LOOK_MS = 5_000;
const PAGE = 100;
/** GitHub redelivers for 7 days at most, so the GUID of an older delivery never comes again. */
const KEPT_MS = 8 * 24 * 3_600_000;

export interface DeliveryInboxOptions {
  clock: Clock;
  queue: Pick<VisitQueue, "enqueue">;
  /** The ids of the only repositories that a delivery may have followed; null: any of an installation. */
  listed?: ReadonlySet<number> | null;
  onFailure: (message: string) => void;
}

/**
 * Opens the inbox that stores webhook deliveries in the fleet's database before they are carried out, so that none is lost with
 * its worker.
 */
export function openDeliveryInbox(
  sql: Sql,
  { clock, queue, listed = null, onFailure }: DeliveryInboxOptions,
): DeliveryInbox {
  const repositories = followedRepositories(sql);
  let wake: () => void = () => undefined;

  const mayFollow = (repositoryId: number, installationId: number | null): boolean =>
    listed === null ? installationId !== null : listed.has(repositoryId);
  const carryOut = async ({ visits, changes }: DeliveryPlan): Promise<void> => {
    for (const change of changes) {
      if (change.type === "follow" && !mayFollow(change.repositoryId, change.installationId)) continue;
      await repositories.apply(change);
    }
    for (const visit of visits)
      if (await repositories.follows(visit.repositoryId)) await queue.enqueue(visit);
  };
  let hasTakenBack = false;
  /**
   * Returns the plans that an old worker set aside to the stored ones. While workers are updated one by one, an old one may have
   * set the plans of a newer one aside.
   */
  const takeBackOnce = async (): Promise<void> => {
    if (hasTakenBack) return;
    await sql.rows(z.unknown(), "update fleet_delivery set state = 'stored' where state = 'unreadable'");
    hasTakenBack = true;
  };
  const drain = async (): Promise<void> => {
    await takeBackOnce();
    for (;;) {
      const rows = await sql.rows(
        z.object({ guid: z.string(), plan: z.string() }),
        `select guid, plan from fleet_delivery where state = 'stored' order by received_at_ms limit ${PAGE}`,
      );
      for (const { guid, plan } of rows) {
        const read = readPlan(plan);
        if (read === null) onFailure(unreadable(guid));
        else await carryOut(read);
        const end = read === null ? "state = 'unreadable'" : "state = 'done', plan = ''";
        await sql.rows(z.unknown(), `update fleet_delivery set ${end} where guid = $1`, guid);
        // SQLite calls are synchronous, so without this pause the receiver could not answer in between.
        await setImmediate();
      }
      if (rows.length < PAGE) break;
    }
    const statement =
      "delete from fleet_delivery where state in ('done', 'unreadable') and received_at_ms < $1";
    await sql.rows(z.unknown(), statement, clock.nowMs() - KEPT_MS);
  };

  return {
    drain,
    store: async (guid, plan) => {
      const stored = await sql.rows(
        z.unknown(),
        `insert into fleet_delivery (guid, state, plan, received_at_ms) values ($1, 'stored', $2, $3)
         on conflict (guid) do nothing returning guid`,
        guid,
        JSON.stringify(plan),
        clock.nowMs(),
      );
      if (stored.length > 0) wake();
      return stored.length > 0;
    },
    work: async (stop) => {
      const end = (): void => wake();
      stop.addEventListener("abort", end);
      try {
        while (!stop.aborted) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          await drain().catch((error: unknown) => {
            onFailure(`carry out deliveries: ${messageOf(error)}`);
          });
          using _timer = clock.schedule(LOOK_MS, () => wake());
          if (!stop.aborted) await woken;
        }
      } finally {
        stop.removeEventListener("abort", end);
      }
    },
  };
}

/** Returns the plan; null for one that another version has stored, or that is damaged. */
function readPlan(stored: string): DeliveryPlan | null {
  try {
    return deliveryPlan.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

function unreadable(guid: string): string {
  return `carry out the delivery ${guid}: another version of this program has stored it, and this version cannot read it. Update this worker: the delivery is tried again when a worker starts`;
}
