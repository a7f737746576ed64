/**
 * A report from the shell's prompt hooks, as a private OSC sequence that contains a nonce: ESC ] 7717 ; NONCE ; KIND [; CODE]
 * BEL. A filter removes these from the output before anything else reads it.
 */
export type Mark =
  /** A command was read and is about to run. */
  | { type: "command-start" }
  /** A command has ended. */
  | { type: "command-end"; exitCode: number }
  /** A guarded command has ended. The typed line itself reports it, whether or not the shell still has its prompt hooks. */
  | { type: "guarded-end"; exitCode: number }
  /** A command that was typed to a shell inside the Session's own has ended. */
  | { type: "inner-command-end"; exitCode: number }
  /** The prompt is about to be shown. `exitCode` is that of the last command. */
  | { type: "prompt-start"; exitCode: number }
  /** The prompt is on the screen: the shell will read a new command. */
  | { type: "prompt" }
  /** The shell wants more lines of the same command. */
  | { type: "continuation" };

export const MARK_START = "\x1b]7717;";
export const MARK_END = "\x07";
export const MARK_LETTERS = {
  start: "C",
  end: "D",
  guardedEnd: "G",
  innerEnd: "E",
  promptStart: "A",
  prompt: "P",
  continuation: "K",
} as const;

/** The longest text between start and end: the most that a partial mark can hold back. */
export const MAX_MARK_BODY = 96;

/** Returns the mark of which these are the parts after the nonce, or null if they are not a mark. */
export function parseMark([kind, code]: readonly string[]): Mark | null {
  const exitCode = code !== undefined && /^\d{1,3}$/.test(code) ? Number(code) : null;
  switch (kind) {
    case MARK_LETTERS.start:
      return { type: "command-start" };
    case MARK_LETTERS.end:
      return exitCode === null ? null : { type: "command-end", exitCode };
    case MARK_LETTERS.guardedEnd:
      return exitCode === null ? null : { type: "guarded-end", exitCode };
    case MARK_LETTERS.innerEnd:
      return exitCode === null ? null : { type: "inner-command-end", exitCode };
    case MARK_LETTERS.promptStart:
      return exitCode === null ? null : { type: "prompt-start", exitCode };
    case MARK_LETTERS.prompt:
      return { type: "prompt" };
    case MARK_LETTERS.continuation:
      return { type: "continuation" };
    default:
      return null;
  }
}
