import { transition, type TriageRunEvent, type TriageRunFacts } from "./triage-run-facts.ts";

/**
 * Storage of Triage Run facts that survives the parent, such as the store. Calls are synchronous and throw when they cannot
 * write.
 */
export interface RunJournal {
  saveRun(facts: TriageRunFacts): void;
}

export interface LedgerPorts {
  journal: RunJournal;
  /**
   * Called when a record could not be written, e.g. on a full disk. The run continues, and the next change writes
   * everything.
   */
  onUnsaved: (error: unknown) => void;
}

/** A ledger restricted to the events of one writer. */
export interface LedgerOf<Event extends TriageRunEvent> {
  readonly facts: TriageRunFacts;
  apply(...events: readonly Event[]): void;
}

type Listener = (facts: TriageRunFacts) => void;

/** The facts of one Triage Run while its parent lives. `transition` is applied to them only here. */
export class RunLedger implements LedgerOf<TriageRunEvent> {
  readonly #ports: LedgerPorts;
  readonly #listeners = new Set<Listener>();
  #facts: TriageRunFacts;
  #isSaved = true;
  #isGrouping = false;

  constructor(facts: TriageRunFacts, ports: LedgerPorts) {
    this.#facts = facts;
    this.#ports = ports;
  }

  get facts(): TriageRunFacts {
    return this.#facts;
  }

  /** Whether the last change was written. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** Applies all events or none, and writes once. Writes nothing and notifies no listener when the facts do not change (O13). */
  apply(...events: readonly TriageRunEvent[]): void {
    const before = this.#facts;
    this.#facts = events.reduce(transition, before);
    if (this.#facts !== before && !this.#isGrouping) this.#changed();
  }

  /**
   * Runs a synchronous action, and writes and announces all its changes once, when it is over. This includes the changes before
   * it throws.
   */
  together(action: () => void): void {
    if (this.#isGrouping) return action();
    const before = this.#facts;
    this.#isGrouping = true;
    try {
      action();
    } finally {
      this.#isGrouping = false;
      if (this.#facts !== before) this.#changed();
    }
  }

  #changed(): void {
    try {
      this.#save();
    } catch (error) {
      this.#ports.onUnsaved(error);
    }
    for (const listener of this.#listeners) listener(this.#facts);
  }

  /** Writes the facts again if the last write failed. Throws like the journal. */
  saveAgain(): void {
    if (!this.#isSaved) this.#save();
  }

  #save(): void {
    this.#isSaved = false;
    this.#ports.journal.saveRun(this.#facts);
    this.#isSaved = true;
  }

  /** Calls back after every change, including one that could not be written. The listener must not throw. */
  onChange(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
