import { restoredTriageRun, triageRunKey, type TriageRunFacts } from "../triage-run-facts.ts";
import { type OwnerPorts, RunOwner } from "./run-owner.ts";
import type { Runner } from "./runner.ts";

export type OpenResult = { type: "opened" | "already-owned"; owner: RunOwner };
export type RestoreResult = OpenResult | { type: "not-restorable"; reason: "still-live" };

/** C3: at most one owner per issue key in this parent. It holds runs from their opening to their end. */
export class RunService {
  readonly #ports: OwnerPorts;
  readonly #owners = new Map<string, RunOwner>();

  constructor(ports: OwnerPorts) {
    this.#ports = ports;
  }

  /** Nothing is written before the first fact is reported. */
  open(facts: TriageRunFacts): OpenResult {
    const present = this.find(triageRunKey(facts));
    if (present !== null) return { type: "already-owned", owner: present };
    const owner = new RunOwner(facts, this.#ports);
    this.#owners.set(owner.key, owner);
    return { type: "opened", owner };
  }

  /** Every run whose last change could not be written, once more. Throws like the journal. */
  saveAgain(): void {
    for (const owner of this.#owners.values()) owner.saveAgain();
  }

  /** `owner/repo#n`; null when no run of that issue is under way here. */
  find(key: string): RunOwner | null {
    const owner = this.#owners.get(key);
    return owner === undefined || owner.isEnded ? null : owner;
  }

  /** O19: a terminated run once more, as part of the batch `runId`. A live one is stopped first, by whoever wants that. */
  restore(before: TriageRunFacts, batch: { runId: string; atMs: number }): RestoreResult {
    const isLive = !before.activity.isTerminated || this.find(triageRunKey(before)) !== null;
    return isLive
      ? { type: "not-restorable", reason: "still-live" }
      : this.open(restoredTriageRun(before, batch));
  }

  /**
   * After a restart of the parent: a run whose runner lives goes on as it was, one whose runner is missing has no
   * active prompt any more. `runner` is null when it is proven missing; ask no earlier.
   */
  rehydrate(facts: TriageRunFacts, runner: Runner | null): OpenResult {
    const result = this.open(facts);
    if (result.type === "already-owned") return result;
    if (runner === null) result.owner.settle("runner-missing");
    else result.owner.attachRunner(runner);
    return result;
  }
}
