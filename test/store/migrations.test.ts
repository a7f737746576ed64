import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { transition } from "../../src/runs/index.ts";
import { RUN_ID, type StoreFixture, storeFixture } from "./store-fixture.ts";

/** The schema of the first released migration, byte-identical. */
const SCHEMA_1 = readFileSync(join(import.meta.dirname, "schema-1.sql"), "utf8");

const DETACHED_RUN = `INSERT INTO runs VALUES ('${RUN_ID}', 'o/r', 7, 'triaging',
  '[{"phase":"selected","atMs":1},{"phase":"triaging","atMs":2}]', NULL, 'detached', 3, 4, 5, 'active', 0, 2, 3, 3, 0,
  NULL, 'ready', 'r-triage-7', 'w7', '01S',
  '[{"number":9,"url":"u","state":"open","isDraft":false,"checks":"failing","review":"none","hasUnresolvedHumanComments":false,"mergeability":"unknown","updatedAtMs":1}]', 6)`;

/** Creates a store of the first version, with one run in progress. */
function oldStore({ directory, path }: StoreFixture): void {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(path, "", { mode: 0o600 });
  const old = new Libsql(path);
  old.pragma("journal_mode = WAL");
  old.exec(
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
  );
  old.exec(SCHEMA_1);
  const checksum = createHash("sha256").update(SCHEMA_1).digest("hex");
  old.exec(`INSERT INTO migrations VALUES (1, 'tables', '${checksum}', 1)`);
  old.exec(`INSERT INTO batches VALUES ('${RUN_ID}', 'host/1/1', '["o/r"]', 1, NULL, NULL)`);
  old.exec(DETACHED_RUN);
  old.close();
}

test("a store of the first version is migrated with all its contents (O21)", async () => {
  await using fixture = await storeFixture();
  oldStore(fixture);
  using store = await fixture.open();
  const [run] = store.runsOfBatch(RUN_ID);
  if (run === undefined) throw new Error("the run is lost");
  expect(run).toMatchObject({
    runState: {
      state: "detached",
      startedAtMs: 3,
      detachedAtMs: 4,
      lastReportAtMs: 5,
      finalReportAtMs: null,
    },
    coderWorkspace: { state: "ready", name: "r-triage-7", id: "w7" },
    pullRequests: [{ number: 9, checks: "failing", headSha: null, checksSignature: null }],
    nudges: [],
    runnerVerdict: null,
    restoredFrom: null,
    issue: null,
    result: null,
  });
  expect(store.changesSince(0, 10).map(({ type }) => type)).toEqual(["batch-recorded", "run-recorded"]);

  const nudge = { kind: "checks-failing", number: 9, signature: "A" } as const;
  const after = [
    { type: "runner-judged", verdict: "blocked" },
    { type: "nudge-sent", nudge, atMs: 1 },
  ] as const;
  store.saveRun(after.reduce(transition, run));
  expect(store.runsOfBatch(RUN_ID)).toEqual([after.reduce(transition, run)]);
  expect(store.changesSince(2, 10).map(({ type }) => type)).toEqual(["run-updated"]);
});

test("two processes that migrate concurrently apply each migration once (O21)", async () => {
  await using fixture = await storeFixture();
  oldStore(fixture);
  const stores = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
  expect(stores.map((store) => store.liveRuns().length)).toEqual([1, 1, 1]);
  const connection = new Libsql(fixture.path);
  expect(connection.prepare("SELECT version, name FROM migrations").all()).toEqual([
    { version: 1, name: "tables" },
    { version: 2, name: "control facts" },
    { version: 3, name: "issue facts" },
    { version: 4, name: "duplicate links" },
    { version: 5, name: "trust facts" },
    { version: 6, name: "run index" },
    { version: 7, name: "run times" },
    { version: 8, name: "run words" },
    { version: 9, name: "outbox" },
  ]);
  connection.close();
  for (const store of stores) store[Symbol.dispose]();
});
