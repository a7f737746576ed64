import {
  canTransition,
  type Home,
  type SessionExit,
  type SessionManifest,
  type SessionStatus,
} from "../home/index.ts";

/** The only writer of a Session's status: `transition` writes every change to the Event Log and the manifest. */
export class StatusKeeper {
  readonly #home: Home;
  readonly #onChange: (status: SessionStatus) => void;
  #manifest: SessionManifest;
  #saving: Promise<void>;
  #isQueued = false;

  constructor(home: Home, manifest: SessionManifest, onChange: (status: SessionStatus) => void) {
    this.#home = home;
    this.#manifest = manifest;
    this.#onChange = onChange;
    this.#saving = home.writeManifest(manifest);
    this.#saving.catch(() => undefined);
  }

  get status(): SessionStatus {
    return this.#manifest.status;
  }

  transition(to: SessionStatus, failure: string | null = null): void {
    if (!canTransition(this.status, to)) throw new Error(`Session Status ${this.status} cannot become ${to}`);
    this.#update({ status: to, failure: failure ?? this.#manifest.failure });
    this.#onChange(to);
  }

  recordExit(exit: SessionExit): void {
    this.#update({ exit });
  }

  recordSize(cols: number, rows: number): void {
    this.#update({ cols, rows });
  }

  /** Resolves when the manifest on disk contains everything up to now; rejects if the disk refuses. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #update(change: Partial<SessionManifest>): void {
    const updatedAt = new Date(this.#home.clock.nowMs()).toISOString();
    this.#manifest = { ...this.#manifest, ...change, updatedAt };
    // Changes during a write are written together afterwards.
    if (this.#isQueued) return;
    this.#isQueued = true;
    // A later write is tried even if an earlier one failed.
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write());
    // Reported by `saved`.
    this.#saving.catch(() => undefined);
  }

  #write(): Promise<void> {
    this.#isQueued = false;
    return this.#home.writeManifest(this.#manifest);
  }
}
