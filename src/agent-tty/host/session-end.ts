import { type SessionExit, STATUS_POLICY } from "../home/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import { type ProcessRow, sessionFamily } from "../processes/index.ts";
import type { WaitedRuns } from "../run/index.ts";
import type { Screen } from "../screen/index.ts";
import type { RenderWaits } from "../wait/index.ts";
import type { OutputPump } from "./output-pump.ts";
import type { StatusKeeper } from "./status-keeper.ts";

interface EndingParts {
  log: EventLogWriter;
  screen: Screen;
  keeper: StatusKeeper;
  pump: OutputPump;
  runs: WaitedRuns;
  waits: RenderWaits;
}

/** Records the end of a Session's child in the Event Log and the manifest, and notifies everything that waits for it. */
export class SessionEnd {
  /** Resolves when the exit is on disk. */
  readonly exited: Promise<SessionExit>;
  readonly #pid: number;
  readonly #parts: EndingParts;
  #resolveExited: (exit: SessionExit) => void = () => undefined;
  #hasExited = false;
  #survivors: readonly ProcessRow[] = [];

  constructor(pid: number, parts: EndingParts) {
    this.#pid = pid;
    this.#parts = parts;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Returns the processes of the Session that were alive when the child ended without `destroy`. */
  get survivors(): readonly ProcessRow[] {
    return this.#survivors;
  }

  /** Call this once, after the last output. */
  async settle(exit: SessionExit): Promise<void> {
    const { log, screen, keeper, pump, runs, waits } = this.#parts;
    // `destroy` searches for survivors itself, before and after it ends the child.
    if (keeper.status !== "destroying")
      this.#survivors = sessionFamily(this.#pid).filter((row) => row.pid !== this.#pid);
    pump.end();
    screen.releaseFrame();
    this.#hasExited = true;
    log.append({ type: "exit", exit });
    keeper.recordExit(exit);
    if (STATUS_POLICY[keeper.status].liveHostEligible) keeper.transition("exited");
    runs.onExit(exit);
    waits.onExit(exit);
    await Promise.allSettled([log.flush(), keeper.saved()]);
    this.#resolveExited(exit);
  }
}
