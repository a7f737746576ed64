/** A parent that takes one run after the other through its whole lifecycle and prints run and step after each commit. */
import { systemClock } from "agent-tty/kit";
import { selectedTriageRun, transition, type TriageRunEvent } from "../../src/runs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { told } from "./told.ts";

const [path = "", runId = ""] = process.argv.slice(2);
// The time to wait for the other process's lock depends on the machine.
const store = await openStore({ path, clock: systemClock, busyTimeoutMs: 60_000 });
store.recordBatch({ runId, parent: "host/1/1", provider: "local", repos: ["o/r"], startedAtMs: 0 });

const steps: readonly TriageRunEvent[][] = [
  [],
  [
    { type: "phase-entered", phase: "creating", atMs: 1 },
    { type: "workspace-requested", name: "r-triage" },
  ],
  [{ type: "workspace-created", id: "w" }, { type: "workspace-ready" }],
  [{ type: "prompt-admitted", atMs: 2 }],
  [{ type: "prompt-settled", evidence: "turn-outcome" }, { type: "workspace-deleting" }],
  [
    { type: "workspace-deleted" },
    { type: "run-settled", atMs: 3, end: { status: "skipped", reason: "cooldown" } },
  ],
];

for (let number = 1; ; number += 1) {
  let facts = selectedTriageRun({ runId, repo: "o/r", number, atMs: 0 });
  for (const [index, events] of steps.entries()) {
    facts = events.reduce(transition, facts);
    store.saveRun(facts);
    await told(`${number} ${index + 1}\n`);
  }
}
