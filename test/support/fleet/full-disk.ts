import type { PostgresSql } from "../../../src/fleet/index.ts";

/** Makes PostgreSQL refuse every change of the fleet's tables with SQLSTATE 53100, as it does when its disk is full. */
export async function fillDisk({ pool }: PostgresSql): Promise<{ empty: () => Promise<void> }> {
  await pool.query(`create or replace function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'graphile_worker' or tablename like 'fleet_%'`,
  );
  for (const { name } of rows)
    await pool.query(
      `create trigger disk_full before insert or update or delete on ${name} for each statement execute function disk_full()`,
    );
  return {
    empty: async () => {
      for (const { name } of rows) await pool.query(`drop trigger disk_full on ${name}`);
    },
  };
}
