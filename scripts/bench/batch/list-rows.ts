import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { execa } from "execa";
import Libsql from "libsql";
import { selectedTriageRun } from "../../../src/runs/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { inTurn, ROOT } from "../measure.ts";
import { type BenchRow, judged, milliseconds } from "../row.ts";

const AFK_TRIAGE = join(ROOT, "dist/bin/afk-triage.cjs");
const [FEW, MANY] = [10, 50_000];
const TIMES = 7;

/** Measures `afk-triage list` for a home with many Triage Runs and for a home with a few, in the same run. */
export async function listRows(): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), "bench-list-"));
  try {
    const [few, many] = [join(directory, "few"), join(directory, "many")];
    await fill(few, FEW);
    await fill(many, MANY);
    const list = (home: string) => () => execa(process.execPath, [AFK_TRIAGE, "list", "--home", home]);
    const [manyMs, fewMs] = await inTurn(TIMES, list(many), list(few));
    const ratio = manyMs / fewMs;
    const row = {
      row: "O3",
      what: `afk-triage list of ${MANY} runs`,
      measured: milliseconds(manyMs),
      rawLimit: `of ${FEW} runs: ${milliseconds(fewMs)}`,
      ratio,
      requirement: "≤ 2 × of few",
    };
    return [judged(row, ratio <= 2)];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes one run through the store, then copies all rows until there are enough. */
async function fill(home: string, count: number): Promise<void> {
  await mkdir(home, { mode: 0o700 });
  const path = join(home, "store.sqlite");
  const runId = "20260101T000000Z";
  {
    using store = await openStore({ path, clock: systemClock });
    store.recordBatch({ runId, parent: "host/1/1", provider: "local", repos: ["o/r"], startedAtMs: 1 });
    const issue = { title: "A title", url: "https://github.test/o/r/issues/1", waitingSinceMs: 1 };
    store.saveRun(selectedTriageRun({ runId, repo: "o/r", number: 1, atMs: 1, issue }));
  }
  const connection = new Libsql(path);
  for (let made = 1; made < count;) {
    const added = Math.min(made, count - made);
    connection.exec(`CREATE TEMP TABLE copied AS SELECT * FROM runs ORDER BY number LIMIT ${added};
      UPDATE copied SET number = number + ${made};
      INSERT INTO runs SELECT * FROM copied;
      DROP TABLE copied;`);
    made += added;
  }
  connection.close();
}
