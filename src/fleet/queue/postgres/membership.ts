import { type Clock, type Ids, messageOf } from "agent-tty/kit";
import { Client } from "pg";
import { z } from "zod";
import { workerReplaced } from "../../fleet-error.ts";
import { connectionConfig, endSilentConnection, type PostgresSql } from "../../sql/index.ts";
import type { QueueWorkers } from "./queue-workers.ts";
import { judgeWorkers, type Seen } from "./judge-workers.ts";

/** The first key of the advisory locks by which workers show that they are alive. */
const LIVENESS = 7_001;
const BEAT_MS = 1_000;
/**
 * The longest wait for the answer to a heartbeat. A connection without an answer is then replaced, so that the next heartbeat is
 * sent before other workers take over.
 */
const ANSWER_MS = 4_000;
/**
 * A visit is given to another worker if it was locked for this long by an unknown queue worker (PostgreSQL was unreachable when
 * that worker registered), or by an idle queue worker of this process (the answer to its claim was lost).
 */
const UNKNOWN_SECONDS = 10;

/**
 * Adds names to the row's list. Beats and registrations run on several connections and may arrive in a different order than they
 * were sent, so none of them may remove the names that a later one added: a visit under an unknown name waits for
 * UNKNOWN_SECONDS.
 */
const ADD_NAMES = `queue_workers = (select coalesce(json_agg(name), '[]')::text from
  (select json_array_elements_text(fleet_worker.queue_workers::json) as name
   union select json_array_elements_text($2::json)) as names)`;

/** The priority of a visit that is taken over. Ranks are positive, so it runs before all other visits. */
const FRONT = 0;

export interface MembershipOptions {
  url: string;
  sql: PostgresSql;
  /** `parentIdentity()` of this process. */
  parent: string;
  clock: Clock;
  ids: Ids;
  /** Returns the queue workers of this process; null: they have not been started yet. */
  queueWorkers: () => Pick<QueueWorkers, "names" | "idle" | "ended"> | null;
  /** The longest wait for PostgreSQL's answer to a heartbeat, in milliseconds; default: 4 s. */
  beatAnswerMs?: number;
  onFailure: (message: string) => void;
}

/**
 * This process as a worker: it sends heartbeats, and takes over visits of workers that die. `lost` aborts when other workers have
 * replaced it.
 */
export interface Membership extends AsyncDisposable {
  readonly owner: string;
  readonly lost: AbortSignal;
  /** Publishes to the other workers the names by which this process locks visits. Rejects with FLEET_DATABASE_UNAVAILABLE. */
  register(): Promise<void>;
}

const workerRow = z.object({
  owner: z.string(),
  beat: z.coerce.number(),
  is_connected: z.boolean(),
});

/**
 * Registers a worker in the fleet's database, and sends beats while the worker lives. Rejects when the database refuses the
 * registration.
 */
export async function joinWorkers(options: MembershipOptions): Promise<Membership> {
  const { sql, clock, parent } = options;
  const owner = `worker-${options.ids.hex(8)}`;
  const lost = new AbortController();
  const left = new AbortController();
  await sql.rows(
    z.unknown(),
    "insert into fleet_worker (owner, parent, queue_workers, beat, state, started_at_ms) values ($1, $2, '[]', 0, 'alive', $3)",
    owner,
    parent,
    clock.nowMs(),
  );
  const names = (): string => JSON.stringify(options.queueWorkers()?.names() ?? []);
  const living = live();
  return {
    owner,
    lost: lost.signal,
    register: async () => {
      await sql.rows(
        z.unknown(),
        `update fleet_worker set ${ADD_NAMES} where owner = $1 and state = 'alive'`,
        owner,
        names(),
      );
    },
    [Symbol.asyncDispose]: async () => {
      left.abort();
      await living;
      // A failure here is harmless: the other workers see that the lock is gone.
      await sql
        .rows(
          z.unknown(),
          "update fleet_worker set state = 'gone' where owner = $1 and state = 'alive'",
          owner,
        )
        .catch(() => undefined);
    },
  };

  /** Keeps one connection open, and opens a new one when it breaks, until the worker leaves or is replaced. */
  async function live(): Promise<void> {
    while (!left.signal.aborted && !lost.signal.aborted) {
      const client = new Client(connectionConfig(options.url));
      const broken = new AbortController();
      client.on("error", () => broken.abort());
      try {
        await client.connect();
        endSilentConnection(client, options.beatAnswerMs ?? ANSWER_MS);
        await beatOn(client, broken.signal);
      } catch (error) {
        if (!left.signal.aborted) options.onFailure(`the liveness of ${owner}: ${messageOf(error)}`);
        await pause(left.signal);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  async function beatOn(client: Client, broken: AbortSignal): Promise<void> {
    let seen: Seen = new Map();
    let isLocked = false;
    while (!left.signal.aborted) {
      broken.throwIfAborted();
      if (!isLocked) {
        // The database session of a broken connection may still hold the lock for a moment.
        const lock = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as is_locked", [
          LIVENESS,
          owner,
        ]);
        isLocked = z.array(z.object({ is_locked: z.boolean() })).parse(lock.rows)[0]?.is_locked ?? false;
      }
      const beat = await client.query(
        `update fleet_worker set beat = beat + 1, ${ADD_NAMES} where owner = $1 and state = 'alive'`,
        [owner, names()],
      );
      if (beat.rowCount === 0) return lost.abort(workerReplaced(owner));
      seen = await takeOver(client, seen);
      await pause(AbortSignal.any([left.signal, broken]));
    }
  }

  async function takeOver(client: Client, before: Seen): Promise<Seen> {
    const others = await client.query(
      `select owner, beat, exists (select 1 from pg_locks where locktype = 'advisory' and classid::bigint = $2
         and objid::bigint = (hashtext(owner)::bigint & 4294967295) and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())) as is_connected
       from fleet_worker where state = 'alive' and owner <> $1`,
      [owner, LIVENESS],
    );
    const facts = z
      .array(workerRow)
      .parse(others.rows)
      .map(({ owner, beat, is_connected: isConnected }) => ({ owner, beat, isConnected }));
    const { dead, seen } = judgeWorkers(facts, before, clock.monotonicMs());
    for (const name of dead) {
      // The worker is marked dead only if its beat has not changed since it was read: a beat in the meantime keeps it alive.
      await client.query(
        "update fleet_worker set state = 'dead' where owner = $1 and beat = $2 and state = 'alive'",
        [name, seen.get(name)?.beat ?? -1],
      );
    }
    await giveBack(client);
    return seen;
  }

  /**
   * Unlocks the visits of queue workers that are gone, and moves them to the front of the queue: each of them has had its turn
   * already.
   */
  async function giveBack(client: Client): Promise<void> {
    const own = options.queueWorkers();
    const ended = [...(own?.ended ?? [])];
    const found = await client.query(
      `select jobs.id, jobs.locked_by from graphile_worker.jobs
         left join (select state, json_array_elements_text(queue_workers::json) as id from fleet_worker) as known
           on known.id = jobs.locked_by
         where jobs.locked_by is not null and (known.state in ('dead', 'gone') or jobs.locked_by = any ($3) or
           (jobs.locked_at < now() - make_interval(secs => $1) and (known.state is null or known.id = any ($2))))`,
      [UNKNOWN_SECONDS, own?.idle() ?? [], ended],
    );
    const held = z.array(z.object({ id: z.string(), locked_by: z.string() })).parse(found.rows);
    if (held.length > 0) {
      const names = [...new Set(held.map(({ locked_by: lockedBy }) => lockedBy))];
      await client.query("select graphile_worker.force_unlock_workers($1)", [names]);
      const visits = held.map(({ id }) => id);
      await client.query("select graphile_worker.reschedule_jobs($1::bigint[], priority => $2)", [
        visits,
        FRONT,
      ]);
    }
    for (const name of ended) own?.ended.delete(name);
  }

  async function pause(signal: AbortSignal): Promise<void> {
    await clock.sleep(BEAT_MS, signal).catch(() => undefined);
  }
}
