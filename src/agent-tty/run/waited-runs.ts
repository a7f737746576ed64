import { type Deadline, raceSignal, startDeadline } from "../kit/index.ts";
import type { SessionExit } from "../home/index.ts";
import type { LoggableEvent } from "../log/index.ts";
import { InnerShellWatch, type InnerShellPorts } from "./inner-shell-watch.ts";
import { type InterruptPorts, InterruptWatch } from "./interrupt-watch.ts";
import type { Mark } from "./marks.ts";
import { PromptWatch } from "./prompt-watch.ts";
import type { Postamble, ShellDialect } from "./shell-dialect.ts";
import type { EventRange, RunOptions, WaitedRunResult } from "./waited-run.ts";

/** The longest wait of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;
const CTRL_C = "\x03";
const CANCEL_TRIES = 5;
const CANCEL_AGAIN_AFTER_MS = 250;
/** How often a watched run is checked for whether it has become a shell; the interval grows up to the second value. */
const FIRST_LOOK_MS = 250;
const MAX_LOOK_MS = 4_000;
/**
 * How long, and how often, a shell without hooks is checked for its next prompt before the next command is typed. A prompt that
 * appears after the typed line looks like the prompt after an interrupt.
 */
const PROMPT_WAIT_MS = 250;
const PROMPT_LOOK_MS = 10;
/** The exit code that shells report for a command that was interrupted. */
const INTERRUPTED_EXIT_CODE = 130;

export interface WaitedRunPorts extends InnerShellPorts, InterruptPorts {
  dialect: ShellDialect;
  lastSeq(): number;
  append(event: LoggableEvent): number;
  /** Writes to the terminal and logs the input. */
  type(text: string): void;
  /** Announces to the output filters what the typed line will print. */
  expectPostamble(postamble: Postamble): void;
  visibleText(): Promise<string>;
  /** The text of the row that holds the cursor, without spaces at its end. */
  cursorLine(): string;
  becameShell(program: string): Error;
}

type RunEnd =
  | { type: "completed"; exitCode: number; toSeq: number }
  | { type: "interrupted"; exit: SessionExit }
  | { type: "became-shell"; program: string };

interface Run {
  readonly commandLine: string;
  phase: "queued" | "typed" | "abandoned";
  number: number;
  fromSeq: number;
  continuationsLeft: number;
  isIncomplete: boolean;
  /** Whether the caller still waits. */
  isWatched: boolean;
  /** The shell inside the Session's own that received the command; null for the Session's own shell. */
  innerShell: string | null;
  /** Whether the typed line itself reports the end of the command. */
  reportsItself: boolean;
  settle: (end: RunEnd) => void;
}

/**
 * The Waited Runs of one Session: one at a time, each ended by the shell's own report (A16). A typed run stays active until its
 * completion is seen, even if its caller no longer waits (A17). After the exit no completion can come, so waiting ends at once
 * (A18). If a run is itself a shell and its caller no longer waits, further runs are typed into it; when it ends, they have ended
 * too.
 */
export class WaitedRuns {
  readonly #ports: WaitedRunPorts;
  readonly #prompt: PromptWatch;
  readonly #inner: InnerShellWatch;
  readonly #interrupts: InterruptWatch;
  readonly #queue: Run[] = [];
  /** Open runs below the active one; the first belongs to the Session's own shell. */
  readonly #outer: Run[] = [];
  #active: Run | null = null;
  #exit: SessionExit | null = null;
  #isEnding = false;
  #isGuarding = false;
  /** Whether the answer to a terminal query may stand in the line that the shell reads. */
  #mayHoldReply = false;
  #look: Disposable | null = null;
  /** The row of the prompt to which a run that reports itself was typed; empty if that run was typed before a prompt was shown. */
  #promptLine = "";
  /** The time until which the next prompt of a shell without hooks may still be shown. */
  #promptDueMs: number;
  #promptLook: Disposable | null = null;
  #count = 0;

  constructor(ports: WaitedRunPorts) {
    this.#ports = ports;
    this.#promptDueMs = ports.dialect.hasPromptMarks ? 0 : ports.clock.monotonicMs() + PROMPT_WAIT_MS;
    this.#prompt = new PromptWatch(ports.clock, () => this.#startNext());
    this.#inner = new InnerShellWatch(ports, () => this.#startNext());
    this.#interrupts = new InterruptWatch(ports);
  }

  async run(commandLine: string, options: RunOptions): Promise<WaitedRunResult> {
    const startedMs = this.#ports.clock.monotonicMs();
    const durationMs = (): number => this.#ports.clock.monotonicMs() - startedMs;
    const timeoutMs = Math.min(options.callerTimeoutMs, MAX_TIMER_MS);
    using deadline = startDeadline(this.#ports.clock, "the Waited Run", timeoutMs, options.signal);
    const fromSeq = this.#ports.lastSeq() + 1;
    const run: Run = {
      commandLine,
      phase: "queued",
      number: 0,
      fromSeq,
      continuationsLeft: 0,
      isIncomplete: false,
      isWatched: options.waits ?? true,
      innerShell: null,
      reportsItself: false,
      settle: () => undefined,
    };
    const end = await this.#endOf(run, deadline, options.signal);
    const output = (toSeq: number): EventRange => ({ fromSeq: run.fromSeq, toSeq });
    if (end === "timed-out") {
      const toSeq = this.#ports.lastSeq();
      const visibleText = await this.#ports.visibleText();
      const accepted = run.phase === "typed";
      return { type: "timed-out", accepted, durationMs: durationMs(), output: output(toSeq), visibleText };
    }
    if (end.type === "became-shell") throw this.#ports.becameShell(end.program);
    if (end.type === "interrupted")
      return { ...end, durationMs: durationMs(), output: output(this.#ports.lastSeq()) };
    return {
      type: "completed",
      exitCode: end.exitCode,
      durationMs: durationMs(),
      output: output(end.toSeq),
    };
  }

  /** Returns whether a new run would be typed at once, without hooks that report whether a shell reads it. */
  get needsShellNow(): boolean {
    return !this.#ports.dialect.hasPromptMarks && this.#active === null;
  }

  /** Handles a mark. Call this in stream order, after the output before the mark was appended. */
  onMark(mark: Mark): void {
    if (this.#isEnding) return;
    const active = this.#active;
    if (active !== null && mark.type === "command-start") active.fromSeq = this.#ports.lastSeq() + 1;
    if (active !== null && mark.type === "continuation") this.#onContinuation(active);
    const exitCode = this.#prompt.onMark(mark);
    if (exitCode !== null) this.#completeAll(exitCode);
    if (mark.type === "inner-command-end" && active !== null && active.innerShell !== null) {
      this.#active = null;
      this.#complete(active, mark.exitCode);
    }
    this.#startNext();
  }

  /** Call this for input that did not come from a Waited Run. */
  onForeignInput(text: string): void {
    this.#isGuarding ||= mayTakeHooksAway(text);
    if (text.includes(CTRL_C)) this.onInterrupt();
    const lines = text.match(/[\r\n\x03\x04]/g)?.length ?? 0;
    if (lines === 0) return;
    this.#prompt.onTyped(lines);
    this.#mayHoldReply = false;
  }

  /**
   * Records that a program has queried the terminal. If the program ended before the answer came, the shell reads the answer as
   * typed text.
   */
  onQuery(): void {
    this.#mayHoldReply = true;
  }

  /**
   * Handles an interrupt of the program in the foreground. A shell then drops the rest of the typed line, which would report the
   * end of the command.
   */
  onInterrupt(): void {
    const run = this.#active;
    if (run?.reportsItself !== true) return;
    this.#interrupts.onInterrupt(run.innerShell, () => this.#endInterrupted(run));
  }

  /**
   * Records that the Session is being ended. From then on, the reports of its shell mean that the command was killed, not that it
   * completed.
   */
  onEnding(): void {
    this.#isEnding = true;
  }

  onExit(exit: SessionExit): void {
    this.#exit = exit;
    this.#prompt[Symbol.dispose]();
    this.#inner[Symbol.dispose]();
    this.#look?.[Symbol.dispose]();
    this.#promptLook?.[Symbol.dispose]();
    this.#interrupts[Symbol.dispose]();
    const active = this.#active === null ? [] : [this.#active];
    const waiting = [...this.#outer.splice(0), ...active, ...this.#queue.splice(0)];
    this.#active = null;
    for (const run of waiting) run.settle({ type: "interrupted", exit });
  }

  async #endOf(
    run: Run,
    deadline: Deadline,
    callerSignal: AbortSignal | undefined,
  ): Promise<RunEnd | "timed-out"> {
    callerSignal?.throwIfAborted();
    const ended = new Promise<RunEnd>((settle) => {
      run.settle = settle;
      if (this.#exit === null) this.#queue.push(run);
      else settle({ type: "interrupted", exit: this.#exit });
    });
    this.#startNext();
    try {
      return await raceSignal(ended, deadline.signal);
    } catch (error) {
      this.#abandon(run);
      if (callerSignal?.aborted === true) throw error;
      return "timed-out";
    }
  }

  /** Gives up the wait of a caller. A command that was not typed yet is dropped, and a running one continues. */
  #abandon(run: Run): void {
    run.isWatched = false;
    const at = this.#queue.indexOf(run);
    if (at === -1) return this.#startNext();
    this.#queue.splice(at, 1);
    run.phase = "abandoned";
  }

  #startNext(): void {
    if (this.#queue.length === 0 || this.#isEnding || this.#exit !== null) return;
    if (this.#awaitsPrompt()) return;
    const isReady = !this.#ports.dialect.hasPromptMarks || this.#prompt.isAtPrompt;
    if (this.#active === null && isReady && this.#outer.length === 0) this.#start(this.#ports.dialect, null);
    else if (this.#active?.isWatched !== true) this.#startInside();
  }

  /** Returns whether a shell without hooks has still to show its next prompt; the next run is then started a little later. */
  #awaitsPrompt(): boolean {
    this.#promptLook?.[Symbol.dispose]();
    if (this.#ports.clock.monotonicMs() >= this.#promptDueMs) return false;
    const line = this.#ports.cursorLine();
    if (line !== "" && (this.#promptLine === "" || line === this.#promptLine)) return false;
    this.#promptLook = this.#ports.clock.schedule(PROMPT_LOOK_MS, () => this.#startNext());
    return true;
  }

  /**
   * Types the next command to a shell inside the Session's own, if one reads commands, because the Session's own shell does not.
   */
  #startInside(): void {
    const shell = this.#inner.settled(this.#active?.innerShell ?? null);
    if (shell !== null) this.#start(this.#ports.innerDialect(shell.program), shell.identity);
  }

  #start(dialect: ShellDialect, innerShell: string | null): void {
    const run = this.#queue.shift();
    if (run === undefined) return;
    if (this.#active !== null) this.#outer.push(this.#active);
    this.#active = run;
    run.innerShell = innerShell;
    this.#count += 1;
    run.number = this.#count;
    run.phase = "typed";
    this.#isGuarding ||= mayTakeHooksAway(run.commandLine);
    const typed = dialect.typed(run.commandLine, this.#isGuarding);
    run.continuationsLeft = typed.continuations;
    run.reportsItself = typed.postamble !== null;
    if (run.reportsItself) this.#promptLine = this.#ports.cursorLine();
    if (typed.postamble !== null) this.#ports.expectPostamble(typed.postamble);
    this.#ports.append({ type: "run-started", run: run.number, commandLine: run.commandLine });
    if (innerShell === null) this.#prompt.onTyped(1);
    this.#ports.type(`${this.#mayHoldReply ? dialect.eraseLine : ""}${typed.text}\n`);
    this.#mayHoldReply = false;
    run.fromSeq = this.#ports.lastSeq() + 1;
    this.#lookLater(run, FIRST_LOOK_MS, undefined);
  }

  /**
   * Checks later whether the command will never report its end. If it has become an interactive shell, it ends only with that
   * shell, so its caller gets an error instead of waiting. If a program died of SIGINT, the shell has dropped the rest of the
   * typed line, and the report is lost. `seen`: the shell that the last look found.
   */
  #lookLater(run: Run, delayMs: number, seen: string | null | undefined): void {
    this.#look?.[Symbol.dispose]();
    this.#look = this.#ports.clock.schedule(delayMs, () => {
      if (this.#active !== run || !(run.isWatched || run.reportsItself)) return;
      const shell = this.#isPromptBack(run) ? { identity: run.innerShell, program: "" } : this.#newShell(run);
      if (shell === null) return this.#lookLater(run, Math.min(MAX_LOOK_MS, delayMs * 2), undefined);
      if (shell.identity !== seen) return this.#lookLater(run, FIRST_LOOK_MS, shell.identity);
      if (shell.identity === run.innerShell) this.#endInterrupted(run);
      else this.#leaveToShell(run, shell.program);
    });
  }

  /**
   * Returns whether the prompt is shown again. Before the echo of the typed line has arrived, the prompt to which it was typed is
   * still on the screen and does not count.
   */
  #isPromptBack(run: Run): boolean {
    if (!run.reportsItself || this.#promptLine === "" || this.#ports.lastSeq() < run.fromSeq) return false;
    return this.#ports.cursorLine() === this.#promptLine && this.#ports.isShellAlone(run.innerShell);
  }

  /**
   * Returns the shell that a watched command has become, or null. A remote shell does not count, because it may still be asking
   * for a password.
   */
  #newShell(run: Run): { identity: string; program: string } | null {
    const shell = run.isWatched ? this.#ports.innerShell() : null;
    return shell === null || shell.isRemote || shell.identity === run.innerShell ? null : shell;
  }

  #endInterrupted(run: Run): void {
    if (this.#active !== run) return;
    const own = this.#ports.dialect.hasPromptMarks ? "guarded-end" : "command-end";
    const type = run.innerShell === null ? own : "inner-command-end";
    this.onMark({ type, exitCode: INTERRUPTED_EXIT_CODE });
  }

  #leaveToShell(run: Run, program: string): void {
    run.isWatched = false;
    run.settle({ type: "became-shell", program });
    this.#startNext();
  }

  /** Cancels a command that shows more continuation prompts than typed lines, because it is incomplete and would wait forever. */
  #onContinuation(run: Run): void {
    run.continuationsLeft -= 1;
    if (run.continuationsLeft >= 0 || run.isIncomplete) return;
    run.isIncomplete = true;
    this.#cancel(run, CANCEL_TRIES);
  }

  /** Sends Ctrl+C several times, because a shell that is just starting its line editor can lose an interrupt. */
  #cancel(run: Run, triesLeft: number): void {
    if (this.#active !== run || this.#exit !== null || triesLeft === 0) return;
    this.#ports.type(CTRL_C);
    this.#ports.clock.schedule(CANCEL_AGAIN_AFTER_MS, () => this.#cancel(run, triesLeft - 1));
  }

  /** Completes all runs. The Session's own shell reads again, so everything that ran inside it is over, too. */
  #completeAll(exitCode: number): void {
    const ended = [...(this.#active === null ? [] : [this.#active]), ...this.#outer.splice(0).toReversed()];
    this.#active = null;
    for (const run of ended) this.#complete(run, exitCode);
  }

  #complete(run: Run, exitCode: number): void {
    const toSeq = this.#ports.lastSeq();
    const hasHooks = run.innerShell === null && this.#ports.dialect.hasPromptMarks;
    if (!hasHooks && this.#promptLine !== "")
      this.#promptDueMs = this.#ports.clock.monotonicMs() + PROMPT_WAIT_MS;
    const end = run.isIncomplete ? "incomplete" : "ran";
    this.#ports.append({ type: "run-completed", run: run.number, exitCode, end });
    run.settle({ type: "completed", exitCode, toSeq });
  }
}

/** Names and words with which a command can remove the prompt hooks, or define something that does. */
const RISKY =
  /\b(?:PS[0-4]|RPS\d|R?PROMPT\d?|PROMPT_\w+|IFS|POSIXLY_CORRECT)\b|precmd|preexec|__tty|\(\s*\)|\b(?:trap|exec|unset|unfunction|source|eval|set|shopt|setopt|unsetopt|emulate|bind|bindkey|stty|alias|function|readonly|declare|typeset|enable|disable|builtin|autoload|zmodload|zle|activate|conda)\b|(?:^|[;&|({\s])\.\s/;

/**
 * Returns whether a command line may change what reports the end of a command. A definition in it can do so in any later line, so
 * after the first match no line is safe.
 */
function mayTakeHooksAway(commandLine: string): boolean {
  return RISKY.test(commandLine);
}
