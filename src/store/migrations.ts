import { createHash } from "node:crypto";
import { z } from "zod";
import type { Clock } from "agent-tty/kit";
import type { Database } from "./database.ts";
import { addControlFacts, addDuplicateLinks, addIssueFacts, addTrustFacts, createTables } from "./schema.ts";
import { addOutbox } from "./outbox-schema.ts";
import { addRunIndex } from "./run-index-schema.ts";
import { addRunTimes } from "./run-times-schema.ts";
import { addRunWords } from "./run-words.ts";
import { corrupt, tooNew } from "./store-error.ts";

interface Migration {
  name: string;
  sql: string;
}

/** Append only: a released migration never changes, because its checksum is compared. Version = position + 1. */
const MIGRATIONS: readonly Migration[] = [
  { name: "tables", sql: createTables },
  { name: "control facts", sql: addControlFacts },
  { name: "issue facts", sql: addIssueFacts },
  { name: "duplicate links", sql: addDuplicateLinks },
  { name: "trust facts", sql: addTrustFacts },
  { name: "run index", sql: addRunIndex },
  { name: "run times", sql: addRunTimes },
  { name: "run words", sql: addRunWords },
  { name: "outbox", sql: addOutbox },
];

const appliedRow = z.object({ version: z.int(), name: z.string(), checksum: z.string() });

/** Migrates the database to the newest version. If several processes open it at the same time, each migration is applied once. */
export function migrate(database: Database, clock: Clock): void {
  if (hasMigrationsTable(database) && pendingMigrations(database).length === 0) return;
  database.write("migrating the schema", () => {
    database.exec(
      "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
    );
    // Reads the version again under the lock: another process may have migrated in the meantime.
    for (const { migration, version } of pendingMigrations(database)) {
      database.exec(migration.sql);
      database.run(
        "INSERT INTO migrations (version, name, checksum, applied_at_ms) VALUES (:version, :name, :checksum, :atMs)",
        { version, name: migration.name, checksum: checksum(migration), atMs: clock.nowMs() },
      );
    }
  });
}

function hasMigrationsTable(database: Database): boolean {
  return (
    database.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").length === 1
  );
}

function pendingMigrations(database: Database): { migration: Migration; version: number }[] {
  const rows = z
    .array(appliedRow)
    .safeParse(database.all("SELECT version, name, checksum FROM migrations ORDER BY version"));
  if (!rows.success) throw corrupt(database.path, "its migrations table is not ours", rows.error);
  const newest = rows.data.at(-1)?.version ?? 0;
  if (newest > MIGRATIONS.length) throw tooNew(database.path, newest, MIGRATIONS.length);
  for (const [index, row] of rows.data.entries()) {
    const known = MIGRATIONS[index];
    if (row.version !== index + 1 || known === undefined || row.checksum !== checksum(known))
      throw corrupt(database.path, `its migration ${row.version} (${row.name}) differs from this program's`);
  }
  return MIGRATIONS.map((migration, index) => ({ migration, version: index + 1 })).slice(rows.data.length);
}

function checksum(migration: Migration): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}
