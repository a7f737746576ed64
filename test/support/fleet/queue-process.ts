/**
 * One fleet worker of the experiment, in a separate process: `tsx queue-process.ts '<json>'`. A visit waits for its duration,
 * checks whether its effect already exists, as a publication checks for its marker, checks its fence, and has one effect. A visit
 * runs at least once: a SIGKILL between the effect and the stored end of the visit repeats it. All its actions are recorded in
 * PostgreSQL, by PostgreSQL's clock.
 */
import { systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import { openPostgresQueue, openPostgresSql } from "../../../src/fleet/index.ts";

const options = z
  .object({
    url: z.string(),
    name: z.string(),
    parallelism: z.number(),
    visitMs: z.number(),
    perRepository: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? "{}"));
const sql = openPostgresSql(options.url);
const queue = openPostgresQueue({
  url: options.url,
  sql,
  caps: { perRepository: options.perRepository, perOwner: null },
  parent: `experiment/${process.pid}/${options.name}`,
  clock: systemClock,
  ids: systemIds(systemClock),
  onFailure: (message) => process.stderr.write(`${options.name}: ${message}\n`),
});
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await queue
  .work({
    parallelism: options.parallelism,
    stop: stop.signal,
    visit: async (visit, lost) => {
      const values = [visit.repositoryId, visit.number, options.name, visit.attempt];
      await sql.pool.query(
        `insert into attempt (repository_id, number, worker, attempt, at, peers)
         select $1::bigint, $2::bigint, $3, $4::int, clock_timestamp(), count(*) from graphile_worker.jobs
         where locked_by is not null and queue_name like 'repository:' || $1::bigint::text || ':%'`,
        values,
      );
      await systemClock.sleep(options.visitMs);
      const there = await sql.pool.query("select 1 from effect where repository_id = $1 and number = $2", [
        visit.repositoryId,
        visit.number,
      ]);
      if (there.rowCount === 0 && (await visit.isOurs(lost)))
        await sql.pool.query(
          "insert into effect (repository_id, number, worker, attempt, at) values ($1, $2, $3, $4, clock_timestamp())",
          values,
        );
      return { type: "done" };
    },
  })
  .catch((error: unknown) => process.stderr.write(`${options.name}: ${String(error)}\n`));
await sql[Symbol.asyncDispose]();
