import { type SessionStatus, STATUS_POLICY } from "../home/index.ts";
import { type Clock, OperationalError } from "../kit/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import type { Pty } from "../pty/index.ts";
import { readProcess } from "../processes/index.ts";
import type { WaitedRuns } from "../run/index.ts";
import type { Screen } from "../screen/index.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { HostErrorCode } from "./engine-error.ts";
import type { IdleWatch } from "./idle-watch.ts";
import type { SessionEnd } from "./session-end.ts";
import type { StatusKeeper } from "./status-keeper.ts";
import { type ChildEnd, endProcesses, killMarkedProcesses, killProcesses, type Mark } from "./teardown.ts";

interface TeardownParts {
  clock: Clock;
  pty: Pty;
  log: EventLogWriter;
  screen: Screen;
  keeper: StatusKeeper;
  checkpoints: Checkpointer;
  runs: WaitedRuns;
  idle: IdleWatch | null;
  end: SessionEnd;
}

/** Directories of this process's Sessions that are not closed yet: none of these Sessions can be restarted. */
export const hostedDirectories = new Set<string>();

/** Ends the processes of one Session and closes its files: on demand, after silence, or on disposal. */
export class SessionTeardown {
  readonly #sessionId: string;
  readonly #directory: string;
  readonly #parts: TeardownParts;
  readonly #mark: Mark;
  #closing: Promise<void> | null = null;

  constructor(sessionId: string, directory: string, parts: TeardownParts) {
    this.#sessionId = sessionId;
    this.#directory = directory;
    this.#parts = parts;
    this.#mark = { sessionId, sinceTicks: readProcess(parts.pty.pid)?.startTicks ?? "0" };
    hostedDirectories.add(directory);
  }

  get hasBegunClosing(): boolean {
    return this.#closing !== null;
  }

  /** Returns the final status; further calls do nothing more. Rejects with DESTROY_TIMED_OUT if the child survives SIGKILL. */
  async destroy(force: boolean): Promise<SessionStatus> {
    const { clock, keeper, runs, end } = this.#parts;
    if (keeper.status === "destroyed" || keeper.status === "destroying") {
      await end.exited;
      await this.#closing;
      return keeper.status;
    }
    keeper.transition("destroying");
    runs.onEnding();
    const childEnd = await this.#endChild(force);
    if (childEnd !== "alone") await killMarkedProcesses(this.#mark, clock);
    keeper.transition("destroyed");
    await this.#close();
    return keeper.status;
  }

  async dispose(): Promise<void> {
    const { clock, keeper, end } = this.#parts;
    if (this.#closing !== null) {
      // A failure was already reported to the caller that closed the Session.
      await this.#closing.catch(() => undefined);
    } else if (end.hasExited && STATUS_POLICY[keeper.status].terminal) {
      await killProcesses(end.survivors, clock);
      await killMarkedProcesses(this.#mark, clock);
      await this.#close();
    } else {
      await this.destroy(false);
    }
  }

  /** Sends SIGHUP before SIGKILL; the manifest gets the reason and the Event Log the status. */
  endIdle(idleTimeoutMs: number): void {
    const { clock, keeper, pty, end } = this.#parts;
    if (!STATUS_POLICY[keeper.status].commandable) return;
    keeper.transition("exiting", `no input and no output for ${idleTimeoutMs} ms`);
    void endProcesses(pty, end.exited, { force: false, clock, mark: this.#mark });
  }

  async #endChild(force: boolean): Promise<ChildEnd> {
    const { clock, pty, end } = this.#parts;
    await killProcesses(end.survivors, clock);
    if (end.hasExited) return "ended";
    const childEnd = await endProcesses(pty, end.exited, { force, clock, mark: this.#mark });
    if (childEnd !== "stuck") return childEnd;
    throw new OperationalError<HostErrorCode>({
      code: "DESTROY_TIMED_OUT",
      message: `process ${pty.pid} of Session ${this.#sessionId} did not end after SIGKILL`,
      remedy: "It is blocked in the kernel, often by a dead network mount. Examine it with ps and try again.",
    });
  }

  #close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const { checkpoints, log, screen, keeper, idle } = this.#parts;
    try {
      await checkpoints.close();
      await log.close();
      screen[Symbol.dispose]();
      await keeper.saved();
    } finally {
      hostedDirectories.delete(this.#directory);
      idle?.[Symbol.dispose]();
    }
  }
}
