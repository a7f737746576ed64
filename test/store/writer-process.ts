/** A parent that records a Triage Batch and saves `count` runs, printing each run's number after its commit. */
import { systemClock } from "agent-tty/kit";
import { selectedTriageRun } from "../../src/runs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { told } from "./told.ts";

const [path = "", runId = "", count = "0"] = process.argv.slice(2);
// The time to wait for the other process's lock depends on the machine.
const store = await openStore({ path, clock: systemClock, busyTimeoutMs: 60_000 });
store.recordBatch({ runId, parent: "host/1/1", provider: "local", repos: ["o/r"], startedAtMs: 0 });
for (let number = 1; number <= Number(count); number += 1) {
  store.saveRun(selectedTriageRun({ runId, repo: "o/r", number, atMs: number }));
  await told(`${number}\n`);
}
