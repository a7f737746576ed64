import { restoredTriageRun, triageRunKey, type TriageRunFacts } from "../triage-run-facts.ts";
import { type OwnerPorts, RunOwner } from "./run-owner.ts";
import type { Runner } from "./runner.ts";

export type OpenResult = { type: "opened" | "already-owned"; owner: RunOwner };
export type RestoreResult = OpenResult | { type: "not-restorable"; reason: "still-live" };

/**
 * The owners of the runs in this parent, at most one per issue key (C3). The service holds a run from its opening until its end is
 * written.
 */
export class RunService {
  readonly #ports: OwnerPorts;
  readonly #owners = new Map<string, RunOwner>();

  constructor(ports: OwnerPorts) {
    this.#ports = ports;
  }

  /** Opens a run. Nothing is written before the first fact is reported. */
  open(facts: TriageRunFacts): OpenResult {
    const present = this.find(triageRunKey(facts));
    if (present !== null) return { type: "already-owned", owner: present };
    const owner = new RunOwner(facts, this.#ports, () => {
      if (this.#owners.get(owner.key) === owner) this.#owners.delete(owner.key);
    });
    this.#owners.set(owner.key, owner);
    return { type: "opened", owner };
  }

  /** Repeats the write of every run whose last change could not be written. Throws like the journal. */
  saveAgain(): void {
    for (const owner of this.#owners.values()) owner.saveAgain();
  }

  /** Returns the owner of the run with the key `owner/repo#n`; null when no run of that issue is in progress here. */
  find(key: string): RunOwner | null {
    const owner = this.#owners.get(key);
    return owner === undefined || owner.isEnded ? null : owner;
  }

  /** Restores a terminated run as part of the batch `runId` (O19). A live run must be stopped first. */
  restore(before: TriageRunFacts, batch: { runId: string; atMs: number }): RestoreResult {
    const isLive = !before.activity.isTerminated || this.find(triageRunKey(before)) !== null;
    return isLive
      ? { type: "not-restorable", reason: "still-live" }
      : this.open(restoredTriageRun(before, batch));
  }

  /**
   * Takes over a run after a restart of the parent: a run with a living runner continues; the active prompt of a run without a
   * runner is settled. `runner` is null only when it is proven missing.
   */
  rehydrate(facts: TriageRunFacts, runner: Runner | null): OpenResult {
    const result = this.open(facts);
    if (result.type === "already-owned") return result;
    if (runner === null) result.owner.settle("runner-missing");
    else result.owner.attachRunner(runner);
    return result;
  }
}
