import type { Clock } from "../kit/index.ts";
import type { ShellDialect } from "./shell-dialect.ts";

export interface InnerShellPorts {
  clock: Clock;
  /** The shell that reads from the terminal in place of the Session's own; null when none is known to. */
  innerShell(): { program: string; identity: string; isRemote: boolean } | null;
  innerDialect(program: string): ShellDialect;
}

/** A shell that has just started still sets up its terminal: what is typed then is echoed twice, or lost. */
const SETTLE_MS = 250;

/** Knows whether a shell inside the Session's own can be typed to: it has no prompt hooks that would tell. */
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

  /** null when it is `busy`, not there or not there for long enough; then `lookAgain` is called a little later. */
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
