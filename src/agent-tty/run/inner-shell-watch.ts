import type { Clock } from "../kit/index.ts";
import type { ShellDialect } from "./shell-dialect.ts";

export interface InnerShellPorts {
  clock: Clock;
  /** Returns the shell that reads from the terminal in place of the Session's own; null if none is known. */
  innerShell(): { program: string; identity: string; isRemote: boolean } | null;
  innerDialect(program: string): ShellDialect;
}

/** A shell that has just started is still setting up its terminal: text typed during that time is echoed twice, or lost. */
const SETTLE_MS = 250;

/** Decides whether a command can be typed to a shell inside the Session's own, which has no prompt hooks to report that. */
export class InnerShellWatch {
  readonly #ports: InnerShellPorts;
  readonly #lookAgain: () => void;
  #seen: string | null = null;
  #hasStood = false;
  #timer: Disposable | null = null;

  constructor(ports: InnerShellPorts, lookAgain: () => void) {
    this.#ports = ports;
    this.#lookAgain = lookAgain;
  }

  /**
   * Returns the shell that can be typed to. null: it is `busy`, does not exist, or has not existed for long enough; `lookAgain`
   * is called a little later.
   */
  settled(busy: string | null): { program: string; identity: string } | null {
    const shell = this.#ports.innerShell();
    const identity = shell?.identity ?? null;
    if (identity !== this.#seen) {
      this.#seen = identity;
      this.#hasStood = false;
      this.#stopTimer();
    }
    if (shell !== null && this.#hasStood && identity !== busy) return shell;
    this.#timer ??= this.#ports.clock.schedule(SETTLE_MS, () => {
      this.#timer = null;
      this.#hasStood = true;
      this.#lookAgain();
    });
    return null;
  }

  [Symbol.dispose](): void {
    this.#stopTimer();
  }

  #stopTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
  }
}
