import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Home, openHome, type SessionManifest } from "agent-tty";
import type { Clock, Ids } from "agent-tty/kit";
import { openStore, type Store } from "../../store/index.ts";
import { runsDirectory, storePath } from "../../home/index.ts";
import { parentState } from "../../workspaces/index.ts";
import type { ParentState } from "./parent-states.ts";

/** The places of data that a board does not read from the home that it shows. */
export interface BoardPlaces {
  /** The SQLite file; default: the home's file. */
  storePath?: string;
  /** The directory of the Sessions and control sockets; default: the home. */
  workerDirectory?: string;
  /** Returns whether the parent of a batch is alive; default: what this machine can prove. */
  parentState?: (parent: string) => Promise<ParentState>;
}

/**
 * The home that a board shows. Reading it creates nothing: the store and the Sessions are opened once they exist, and each read
 * checks again for what was missing before.
 */
export class BoardHome implements Disposable {
  readonly directory: string;
  readonly workerDirectory: string;
  readonly clock: Clock;
  readonly parentState: (parent: string) => Promise<ParentState>;
  readonly #ids: Ids;
  readonly #storePath: string;
  #store: Promise<Store> | null = null;
  #sessions: Promise<Home> | null = null;

  constructor(directory: string, ports: { clock: Clock; ids: Ids }, places: BoardPlaces = {}) {
    this.directory = directory;
    this.workerDirectory = places.workerDirectory ?? directory;
    this.clock = ports.clock;
    this.parentState = places.parentState ?? ((parent) => parentState(parent));
    this.#ids = ports.ids;
    this.#storePath = places.storePath ?? storePath(directory);
  }

  get runsDirectory(): string {
    return runsDirectory(this.directory);
  }

  /** Returns the store; null: no batch has run in this home yet. Rejects with a StoreErrorCode. */
  async store(): Promise<Store | null> {
    const path = this.#storePath;
    if (this.#store === null) {
      if (!existsSync(path)) return null;
      const opening = openStore({ path, clock: this.clock });
      this.#store = opening;
      // A store that cannot be opened now is opened again at the next call.
      opening.catch(() => (this.#store = null));
    }
    return this.#store;
  }

  async sessions(): Promise<Home | null> {
    const directory = join(this.workerDirectory, "agent-tty");
    if (this.#sessions === null) {
      if (!existsSync(join(directory, "sessions"))) return null;
      const opening = openHome({ directory, clock: this.clock, ids: this.#ids });
      this.#sessions = opening;
      opening.catch(() => (this.#sessions = null));
    }
    return this.#sessions;
  }

  /** Returns a Session; null: it was never in this home, or it was collected. */
  async session(sessionId: string): Promise<{ home: Home; manifest: SessionManifest } | null> {
    const home = await this.sessions();
    if (home === null) return null;
    try {
      return { home, manifest: await home.readManifest(sessionId) };
    } catch {
      return null;
    }
  }

  [Symbol.dispose](): void {
    void this.#store?.then((store) => store[Symbol.dispose]()).catch(() => undefined);
    this.#store = null;
  }
}
