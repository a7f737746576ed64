import { transition, type TriageRunEvent, type TriageRunFacts } from "./triage-run-facts.ts";

/** Where facts of Triage Runs outlive the parent; the store is one. Synchronous, throws when it cannot write. */
export interface RunJournal {
  saveRun(facts: TriageRunFacts): void;
}

export interface LedgerPorts {
  journal: RunJournal;
  /** A record that could not be written (a full disk). It costs the record, never the run: the next change writes all. */
  onUnsaved: (error: unknown) => void;
}

/** The part of a ledger that one writer of its facts is given: a state machine of somebody else has no event there. */
export interface LedgerOf<Event extends TriageRunEvent> {
  readonly facts: TriageRunFacts;
  apply(...events: readonly Event[]): void;
}

type Listener = (facts: TriageRunFacts) => void;

/** The facts of one Triage Run while its parent lives: the one place where `transition` is applied to it. */
export class RunLedger implements LedgerOf<TriageRunEvent> {
  readonly #ports: LedgerPorts;
  readonly #listeners = new Set<Listener>();
  #facts: TriageRunFacts;
  #isSaved = true;

  constructor(facts: TriageRunFacts, ports: LedgerPorts) {
    this.#facts = facts;
    this.#ports = ports;
  }

  get facts(): TriageRunFacts {
    return this.#facts;
  }

  /** All or none; written once. Nothing is written, and nobody told, when the events are no news (O13). */
  apply(...events: readonly TriageRunEvent[]): void {
    const before = this.#facts;
    this.#facts = events.reduce(transition, before);
    if (this.#facts === before) return;
    try {
      this.#save();
    } catch (error) {
      this.#ports.onUnsaved(error);
    }
    for (const listener of this.#listeners) listener(this.#facts);
  }

  /** What could not be written when it changed, for when no change will follow. Throws like the journal. */
  saveAgain(): void {
    if (!this.#isSaved) this.#save();
  }

  #save(): void {
    this.#isSaved = false;
    this.#ports.journal.saveRun(this.#facts);
    this.#isSaved = true;
  }

  /** Called after every change, also one that could not be written. It must not throw. */
  onChange(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
