import type { Clock } from "../kit/index.ts";
import type { Mark } from "./marks.ts";

/**
 * If the prompt is not seen (the shell's stderr may be redirected), the shell is assumed to read again this long after a
 * command's end.
 */
const PROMPT_GRACE_MS = 250;
/** The same delay after a guarded command: the hooks, if they still exist, report once more before the prompt. */
const GUARDED_GRACE_MS = 1_000;
/** The same delay when an earlier prompt came without its marks. */
const LOST_GRACE_MS = 50;
/**
 * The same delay after a prompt while fewer ends were seen than lines typed: a program, or a command of many lines, may have read
 * the other lines.
 */
const TYPED_AHEAD_GRACE_MS = 250;

/** Decides, from the marks, whether the shell will read a new command now. */
export class PromptWatch {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #isAtPrompt = false;
  #owesPrompt = false;
  #hasStarted = false;
  /** Whether the last command's end was reported by the first carrier; if it was not, other hooks may be silenced, too. */
  #hasHooks = false;
  /** Whether the hooks may still report the end of a guarded command whose end is already known. */
  #owesHookEnd = false;
  /** Whether the last prompt came without its mark, so that the hooks are lost. */
  #lacksMarks = false;
  /**
   * The number of typed lines whose ends were not seen yet. It starts at 1 for the shell's own start, which ends like a command.
   */
  #openLines = 1;
  #grace: Disposable | null = null;

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get isAtPrompt(): boolean {
    return this.#isAtPrompt;
  }

  /**
   * Records lines that were typed for the shell. The shell reads further input only after the prompt that follows the last of
   * them.
   */
  onTyped(lines: number): void {
    this.#isAtPrompt = false;
    this.#openLines += lines;
  }

  /** Returns the exit code if this mark ends a command; null otherwise. */
  onMark(mark: Mark): number | null {
    const exitCode = this.#judge(mark);
    if (exitCode !== null) this.#openLines = Math.max(0, this.#openLines - 1);
    return exitCode;
  }

  #judge(mark: Mark): number | null {
    switch (mark.type) {
      case "command-start":
        this.#grace?.[Symbol.dispose]();
        this.#isAtPrompt = false;
        this.#hasStarted = true;
        this.#owesHookEnd = false;
        return null;
      case "guarded-end":
        this.#owesPrompt = true;
        this.#owesHookEnd = true;
        this.#hasStarted = false;
        this.#startGrace(this.#lacksMarks ? LOST_GRACE_MS : GUARDED_GRACE_MS);
        return mark.exitCode;
      case "continuation":
      case "inner-command-end":
        return null;
      case "command-end":
        return this.#onCommandEnd(mark.exitCode);
      case "prompt-start":
        return this.#endsByPrompt() ? mark.exitCode : null;
      case "prompt":
        this.#owesPrompt = false;
        this.#owesHookEnd = false;
        this.#lacksMarks = false;
        this.#hasStarted = false;
        if (this.#openLines === 0) this.#atPrompt();
        else this.#startGrace(TYPED_AHEAD_GRACE_MS, false);
        return null;
      default:
        return mark satisfies never;
    }
  }

  [Symbol.dispose](): void {
    this.#grace?.[Symbol.dispose]();
  }

  #onCommandEnd(exitCode: number): number | null {
    const isKnown = this.#owesHookEnd;
    this.#owesHookEnd = false;
    this.#owesPrompt = true;
    this.#hasHooks = true;
    this.#startGrace(PROMPT_GRACE_MS);
    return isKnown ? null : exitCode;
  }

  #startGrace(durationMs: number, lacksMarks = true): void {
    this.#grace?.[Symbol.dispose]();
    this.#grace = this.#clock.schedule(durationMs, () => {
      this.#lacksMarks = lacksMarks;
      this.#openLines = 0;
      this.#atPrompt();
    });
  }

  /**
   * Returns whether a prompt mark, the second carrier of the exit code, ends a command. It counts only if the first carrier was
   * silenced, and not before the command has begun: a line editor redraws its prompt when the typed text fills the line.
   */
  #endsByPrompt(): boolean {
    if (this.#owesPrompt || (this.#hasHooks && !this.#hasStarted)) return false;
    this.#hasHooks = false;
    return true;
  }

  #atPrompt(): void {
    this.#grace?.[Symbol.dispose]();
    this.#isAtPrompt = true;
    this.#changed();
  }
}
