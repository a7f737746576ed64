import { constants } from "node:os";
import type { ReadStream } from "node:tty";
import type { Clock } from "../kit/index.ts";
import { innerShellOf, isShellAlone } from "./inner-shell.ts";
import { InputQueue } from "./input-queue.ts";
import { type StartedTerminal, startOnTerminal } from "./start-on-terminal.ts";
import { drainAfterHangup, openTerminal } from "./terminal-stream.ts";
import { foregroundGroupOf, foregroundProgramOf } from "../processes/index.ts";
import type { InnerShell, Pty, PtyExit, PtyListener, PtySpec, SpawnPty } from "./pty.ts";

/** A background child may keep the terminal open after the exit: reading ends when there is no output for this long. */
const LINGER_MS = 200;

/** Returns a function that starts programs on pseudo-terminals; the clock times the output after an exit. */
export function nodePtySpawner(clock: Clock): SpawnPty {
  return (spec, listener) => new NodePty(spec, listener, clock);
}

class NodePty implements Pty {
  readonly pid: number;
  readonly #terminal: StartedTerminal;
  readonly #stream: ReadStream;
  readonly #input: InputQueue;
  readonly #listener: PtyListener;
  readonly #clock: Clock;
  readonly #command: PtySpec["command"];
  #exit: PtyExit | null = null;
  #isDrained = false;
  #isPaused = false;
  #isReported = false;
  #linger: Disposable | null = null;

  constructor(spec: PtySpec, listener: PtyListener, clock: Clock) {
    const terminal = startOnTerminal(spec, (...end) => this.#onExit(exitOf(...end)), clock);
    this.pid = terminal.pid;
    this.#terminal = terminal;
    this.#listener = listener;
    this.#clock = clock;
    this.#command = spec.command;
    this.#input = new InputQueue(terminal.fd, clock);
    this.#stream = openTerminal(terminal.fd, (bytes) => this.#onOutput(bytes));
    // Linux reports the end of a terminal as EIO.
    this.#stream.on("error", () => this.#onDrained());
    this.#stream.on("end", () => {
      drainAfterHangup(terminal.fd, (bytes) => this.#onOutput(bytes));
      this.#onDrained();
    });
    this.#stream.resume();
  }

  get pendingInputBytes(): number {
    return this.#input.pendingBytes;
  }

  write(data: string | Uint8Array): Promise<void> {
    return this.#input.write(data);
  }

  resize(cols: number, rows: number): void {
    if (!this.#isDrained) this.#terminal.resize(cols, rows);
  }

  pause(): void {
    this.#isPaused = true;
    this.#linger?.[Symbol.dispose]();
    if (!this.#isDrained) this.#stream.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#exit !== null) this.#lingerAgain();
    if (!this.#isDrained) this.#stream.resume();
  }

  killGroup(signal: NodeJS.Signals): boolean {
    if (sendSignal(-this.pid, signal)) return true;
    // Right after the fork the child may not lead a process group yet, so the signal is sent to the process itself.
    return this.#exit === null && sendSignal(this.pid, signal);
  }

  foregroundProgram(): string | null {
    return this.#exit === null ? foregroundProgramOf(this.pid) : null;
  }

  isShellAlone(identity: string | null): boolean {
    return this.#exit === null && isShellAlone(this.pid, this.#command, identity);
  }

  innerShell(): InnerShell | null {
    return this.#exit === null ? innerShellOf(this.pid, this.#command) : null;
  }

  killForeground(signal: NodeJS.Signals): boolean {
    const group = this.#exit === null ? foregroundGroupOf(this.pid) : null;
    return group !== null && sendSignal(-group, signal);
  }

  #onOutput(bytes: Buffer): void {
    if (this.#isReported) return;
    if (this.#exit !== null) this.#lingerAgain();
    this.#listener.output(bytes);
  }

  #onExit(exit: PtyExit): void {
    this.#exit = exit;
    if (this.#isDrained) this.#report(exit);
    else this.#lingerAgain();
  }

  #onDrained(): void {
    if (this.#isDrained) return;
    this.#close();
    if (this.#exit !== null) this.#report(this.#exit);
  }

  #lingerAgain(): void {
    this.#linger?.[Symbol.dispose]();
    if (!this.#isPaused) this.#linger = this.#clock.schedule(LINGER_MS, () => this.#onDrained());
  }

  #close(): void {
    this.#isDrained = true;
    this.#linger?.[Symbol.dispose]();
    this.#input.close();
    this.#stream.destroy();
  }

  #report(exit: PtyExit): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#listener.exit(exit);
  }
}

function exitOf(code: number, signalNumber: number): PtyExit {
  if (signalNumber === 0) return { type: "code", code };
  const name = Object.entries(constants.signals).find(([, number]) => number === signalNumber)?.[0];
  return { type: "signal", signal: name ?? `signal ${signalNumber}` };
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
