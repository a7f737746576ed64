import type { Clock } from "../kit/index.ts";
import type { Mark } from "./marks.ts";

/** A shell whose prompt is not seen (its stderr is redirected) is taken to read again this long after a command's end. */
const PROMPT_GRACE_MS = 250;

/** Knows, from the marks, whether the shell will read a new command now. */
export class PromptWatch {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #isAtPrompt = false;
  #owesPrompt = false;
  #hasStarted = false;
  /** Whether the last command's end came by the first carrier; when it did not, other hooks may be silenced too. */
  #hasHooks = false;
  #grace: Disposable | null = null;

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get isAtPrompt(): boolean {
    return this.#isAtPrompt;
  }

  /** Something was typed: what the shell does is unknown until its next prompt. */
  onTyped(): void {
    this.#isAtPrompt = false;
  }

  /** The exit code when this mark ends a command; null otherwise. */
  onMark(mark: Mark): number | null {
    switch (mark.type) {
      case "command-start":
        this.#isAtPrompt = false;
        this.#hasStarted = true;
        return null;
      case "continuation":
      case "inner-command-end":
        return null;
      case "command-end":
        this.#owesPrompt = true;
        this.#hasHooks = true;
        this.#grace?.[Symbol.dispose]();
        this.#grace = this.#clock.schedule(PROMPT_GRACE_MS, () => this.#atPrompt());
        return mark.exitCode;
      case "prompt-start":
        return this.#endsByPrompt() ? mark.exitCode : null;
      case "prompt":
        this.#owesPrompt = false;
        this.#hasStarted = false;
        this.#atPrompt();
        return null;
      default:
        return mark satisfies never;
    }
  }

  [Symbol.dispose](): void {
    this.#grace?.[Symbol.dispose]();
  }

  /**
   * The second carrier of the exit code counts only when the first was silenced, and not before the command has begun: a
   * line editor draws its prompt anew where what was typed fills the line.
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
