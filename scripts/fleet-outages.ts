/**
 * `npm run fleet:outages`: what a fleet does while its PostgreSQL is crashed and away, has no connection left, or refuses every write
 * because its disk is full, and while one worker is paused beyond its lease (row F6). Real worker processes and a real server; a disk is
 * "full" by triggers that raise SQLSTATE 53100, as the server does then. `--seconds` is how long each trouble lasts (default 60). Prints
 * what was doubled, lost, leaked and paid twice. Exit code 1 when anything was.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { systemClock } from "agent-tty/kit";
import { Client } from "pg";
import { type Load, runLoad, type TroubleStage } from "../test/support/fleet/load-run.ts";
import { seeded } from "../test/support/seeded.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, only: { type: "string" } },
});
process.env["AFK_TEST_RUN"] ??= `afk-fleet-${process.pid}`;
const troubleMs = Number(values.seconds) * 1_000;

const load: Load = {
  workers: 3,
  parallelism: 4,
  repositories: 40,
  issues: 100,
  perRepository: 3,
  agentMs: 1_000,
  killEveryMs: null,
  random: seeded(1),
  patienceMs: 600_000,
};

const troubles: Record<string, (stage: TroubleStage) => Promise<void>> = {
  "PostgreSQL crashed and away": async ({ server }) => {
    await server.stop("immediate");
    await systemClock.sleep(troubleMs);
    await server.start();
  },
  "no connection left": async ({ server, sql }) => {
    // The backends of the fleet end, and strangers take every place before they can come back.
    const strangers: Client[] = [];
    await sql.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'afk-triage fleet' and pid <> pg_backend_pid()",
    );
    for (let refused = 0; refused < 3;) {
      const stranger = new Client({ connectionString: server.url });
      stranger.on("error", () => undefined);
      const isIn = await stranger.connect().then(
        () => true,
        () => false,
      );
      if (isIn) strangers.push(stranger);
      else refused += 1;
    }
    await systemClock.sleep(troubleMs);
    await Promise.all(strangers.map((stranger) => stranger.end()));
  },
  "disk full": async ({ sql }) => {
    await sql.pool.query(`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    const { rows } = await sql.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = 'graphile_worker' or tablename like 'fleet_%'`,
    );
    for (const { name } of rows)
      await sql.pool.query(
        `create trigger disk_full before insert or update or delete on ${name} for each statement execute function disk_full()`,
      );
    await systemClock.sleep(troubleMs);
    for (const { name } of rows) await sql.pool.query(`drop trigger disk_full on ${name}`);
  },
  "one worker paused": async ({ pause }) => {
    using _paused = pause();
    await systemClock.sleep(Math.max(15_000, troubleMs / 4));
  },
};

for (const [name, trouble] of Object.entries(troubles)) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const figures = await runLoad({ ...load, trouble });
  const { doubledComments, lost, lostBeforePoll, leakedWorkspaces, paidTwice, durationMs } = figures;
  process.stdout.write(
    `${[
      `${name} (load ${loadavg()[0]?.toFixed(1)})`,
      `  ${figures.issues} issues: doubled comments ${doubledComments}, lost ${lost} (${lostBeforePoll} found by the next poll only), leaked Coder workspaces ${leakedWorkspaces}, Triage Agents paid twice ${paidTwice}`,
      `  last issue begun after ${(durationMs / 1_000).toFixed(1)} s; the workers complained ${figures.complaints.length} times, e.g. ${figures.complaints.at(-1) ?? "-"}`,
    ].join("\n")}\n`,
  );
  if (doubledComments + lost + leakedWorkspaces + paidTwice > 0) process.exitCode = 1;
}
