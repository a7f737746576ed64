import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { OperationalError } from "agent-tty/kit";
import { expect, test } from "vitest";
import { openStore, type StoreErrorCode } from "../../src/store/index.ts";
import { recordBatch, RUN_ID, type StoreFixture, storeFixture, triageRun } from "./store-fixture.ts";

/** Returns the code of the action's failure, which must be operational, name the path and have a remedy. */
async function failure(fixture: StoreFixture, action: () => unknown): Promise<StoreErrorCode | "none"> {
  try {
    await action();
    return "none";
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    expect(error.message).toContain(fixture.directory);
    expect(error.message).not.toContain("    at ");
    expect(error.remedy).not.toBe("");
    return error.code as StoreErrorCode;
  }
}

/** Damages the program's own database with another connection. */
async function damaged(fixture: StoreFixture, sql: string): Promise<void> {
  const store = await fixture.open();
  recordBatch(store);
  store.saveRun(triageRun(1));
  store[Symbol.dispose]();
  const connection = new Libsql(fixture.path);
  connection.exec(sql);
  connection.close();
}

test("a file that is not a database is STORE_CORRUPT and stays unchanged (O21)", async () => {
  await using fixture = await storeFixture();
  mkdirSync(fixture.directory, { mode: 0o700 });
  const text = "not a database ".repeat(1_000);
  writeFileSync(fixture.path, text, { mode: 0o600 });
  expect(await failure(fixture, fixture.open)).toBe("STORE_CORRUPT");
  expect(readFileSync(fixture.path, "utf8")).toBe(text);
});

test("overwritten pages are STORE_CORRUPT when they are read (O21)", async () => {
  await using fixture = await storeFixture();
  await damaged(fixture, "PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = readFileSync(fixture.path);
  const copy = { ...fixture, path: join(fixture.directory, "copy.db") };
  writeFileSync(copy.path, bytes.fill(0xaa, 4_096), { mode: 0o600 });
  const open = async (): Promise<void> => {
    using store = await openStore({ path: copy.path, clock: fixture.clock });
    store.runsOfBatch(RUN_ID);
  };
  expect(await failure(fixture, open)).toBe("STORE_CORRUPT");
});

test("contents that afk-triage did not write are STORE_CORRUPT (O21)", async () => {
  for (const sql of [
    "UPDATE runs SET phase = 'lunch'",
    "UPDATE runs SET phase = 'settled'",
    "UPDATE runs SET run_state = 'running'",
    "UPDATE runs SET workspace_state = 'ready'",
    "UPDATE runs SET phase_history = '[]'",
    "DROP TABLE runs",
    "UPDATE migrations SET checksum = 'other'",
  ]) {
    await using fixture = await storeFixture();
    await damaged(fixture, sql);
    const read = async (): Promise<void> => {
      using store = await fixture.open();
      store.runsOfBatch(RUN_ID);
    };
    expect([sql, await failure(fixture, read)]).toEqual([sql, "STORE_CORRUPT"]);
  }
});

test("a database of a newer version is STORE_TOO_NEW (O21)", async () => {
  await using fixture = await storeFixture();
  await damaged(fixture, "INSERT INTO migrations VALUES (99, 'future', 'x', 1)");
  expect(await failure(fixture, fixture.open)).toBe("STORE_TOO_NEW");
});

test("a lock that is held too long is STORE_UNWRITABLE, and the next write succeeds (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await openStore({ path: fixture.path, clock: fixture.clock, busyTimeoutMs: 400 });
  recordBatch(store);
  const other = new Libsql(fixture.path);
  other.exec("BEGIN IMMEDIATE");
  const waitedMs: unknown[] = [];
  for (let writes = 0; writes < 3; writes += 1) {
    try {
      store.saveRun(triageRun(1));
    } catch (error) {
      expect(error).toMatchObject({ code: "STORE_UNWRITABLE", details: { isLocked: true } });
      waitedMs.push((error as OperationalError).details["waitedMs"]);
    }
  }
  // A held lock delays the parent by the full timeout only once: until the lock is released, later calls wait only briefly.
  expect(waitedMs).toEqual([400, 50, 50]);
  expect(store.runsOfBatch(RUN_ID)).toEqual([]);
  other.exec("ROLLBACK");
  other.close();
  store.saveRun(triageRun(1));
  expect(store.runsOfBatch(RUN_ID)).toHaveLength(1);
});

/**
 * Creates a database that is not yet in WAL mode, with an open read transaction that prevents other processes from switching it.
 */
function createdElsewhere(fixture: StoreFixture): { release: () => void } {
  mkdirSync(fixture.directory, { mode: 0o700 });
  writeFileSync(fixture.path, "", { mode: 0o600 });
  const other = new Libsql(fixture.path);
  other.exec("CREATE TABLE other (x); BEGIN; SELECT * FROM other");
  other.prepare("SELECT * FROM other").all();
  return { release: () => void other.exec("COMMIT") };
}

test("a store that another process is creating opens when that process has finished (O21)", async () => {
  await using fixture = await storeFixture();
  const other = createdElsewhere(fixture);
  const opening = fixture.open();
  other.release();
  await fixture.clock.advance(20);
  using store = await opening;
  expect(store.batches(1)).toEqual([]);
});

test("a store that stays locked while it is opened is STORE_UNWRITABLE (O21)", async () => {
  await using fixture = await storeFixture();
  const other = createdElsewhere(fixture);
  const [code] = await Promise.all([failure(fixture, fixture.open), fixture.clock.advance(100)]);
  expect(code).toBe("STORE_UNWRITABLE");
  other.release();
});

test("a directory that cannot be created is STORE_UNWRITABLE (O21)", async () => {
  await using fixture = await storeFixture();
  writeFileSync(fixture.directory, "a file where the directory should be");
  expect(await failure(fixture, fixture.open)).toBe("STORE_UNWRITABLE");
});

test("a symbolic link, and a file or directory that others can access, is refused (S17)", async () => {
  await using fixture = await storeFixture();
  (await fixture.open())[Symbol.dispose]();
  chmodSync(fixture.path, 0o640);
  expect(await failure(fixture, fixture.open)).toBe("STORE_UNSAFE");
  chmodSync(fixture.path, 0o600);
  chmodSync(fixture.directory, 0o755);
  expect(await failure(fixture, fixture.open)).toBe("STORE_UNSAFE");
  chmodSync(fixture.directory, 0o700);
  expect(await failure(fixture, fixture.open)).toBe("none");

  await using linked = await storeFixture();
  mkdirSync(linked.directory, { mode: 0o700 });
  copyFileSync(fixture.path, join(linked.directory, "real.db"));
  symlinkSync(join(linked.directory, "real.db"), linked.path);
  expect(await failure(linked, linked.open)).toBe("STORE_UNSAFE");
});

test("using a closed store throws (O21)", async () => {
  await using fixture = await storeFixture();
  const store = await fixture.open();
  store[Symbol.dispose]();
  expect(() => store.liveRuns()).toThrow(/is closed/);
});
