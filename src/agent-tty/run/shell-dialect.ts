import { MARK_LETTERS } from "./marks.ts";
import { evalForPosix, evalWithHooks, expectedContinuations, typedForBash } from "./typed-lines.ts";

/** The text to type for one Waited Run, and the part of its echo to hide. */
export interface TypedRun {
  text: string;
  /** More continuation prompts than this mean that the shell wants more than was typed. */
  continuations: number;
  /** Set if the typed line itself prints the completion mark. */
  postamble: Postamble | null;
}

/** The end of a typed line: the part of its echo to hide, and the nonce of the mark that it prints. */
export interface Postamble {
  nonce: string;
  echo: string;
}

/** The mark that a typed line prints at its end. */
type TypedEnd = "command-end" | "guarded-end" | "inner-command-end";

/** How to make a shell report the end of a command. */
export interface ShellDialect {
  /** True if prompt hooks report when the shell will read a new command. */
  readonly hasPromptMarks: boolean;
  /** The keys that erase the line at the prompt. On an empty line, a line editor may ring the bell. */
  readonly eraseLine: string;
  /** `isGuarded`: the typed line itself reports the end, because the command may remove the prompt hooks. */
  typed(commandLine: string, isGuarded: boolean): TypedRun;
}

/** Erases the line, in line editors and in the terminal's canonical mode. */
const CTRL_U = "\x15";
/**
 * Leaves the search and the command mode of bash's line editor: Ctrl+G leaves a search, and A leaves the command mode of its vi
 * keys at the end of the line. The answer of a terminal can begin like the key that enters one of these modes. zsh would begin a
 * new prompt.
 */
const LEAVE_BASH_MODES = "\x07A";

/** Returns the dialect of a bash or zsh that was started with our prompt hooks. */
export function integratedShell(program: string, nonce: () => string): ShellDialect {
  return {
    hasPromptMarks: true,
    eraseLine: eraseLine(program),
    typed: (commandLine, isGuarded) => {
      const plain = typedForBash(commandLine);
      if (!isGuarded) return { text: plain, continuations: expectedContinuations(plain), postamble: null };
      const postamble = printingPostamble(nonce, "guarded-end", "builtin");
      const text = evalWithHooks(commandLine);
      return { text: text + postamble.echo, continuations: expectedContinuations(text), postamble };
    },
  };
}

/**
 * Returns the dialect of any POSIX shell: the typed line itself prints the mark after the command. The nonce is typed in two
 * halves, so that neither the echo nor `ps` shows the mark.
 */
export function plainShell(
  program: string,
  nonce: () => string,
  end: TypedEnd = "command-end",
): ShellDialect {
  return {
    hasPromptMarks: false,
    eraseLine: eraseLine(program),
    typed: (commandLine) => {
      const postamble = printingPostamble(nonce, end, isZsh(program) ? "builtin" : "command");
      return {
        text: evalForPosix(commandLine, isZsh(program)) + postamble.echo,
        continuations: Number.POSITIVE_INFINITY,
        postamble,
      };
    },
  };
}

function isZsh(program: string): boolean {
  return /(?:^|\/)zsh$/.test(program);
}

function eraseLine(program: string): string {
  return isZsh(program) ? CTRL_U : LEAVE_BASH_MODES + CTRL_U;
}

const END_LETTERS: Readonly<Record<TypedEnd, string>> = {
  "command-end": MARK_LETTERS.end,
  "guarded-end": MARK_LETTERS.guardedEnd,
  "inner-command-end": MARK_LETTERS.innerEnd,
};

/**
 * Returns the text that prints the mark on the terminal, even if the shell's output is redirected, without tracing, and that
 * leaves `$?` unchanged. `word` and the backslash bypass functions and aliases that have the names of builtins.
 */
function printingPostamble(nonce: () => string, end: TypedEnd, word: "builtin" | "command"): Postamble {
  const [first, second] = [nonce(), nonce()];
  const print = `\\${word} printf '\\033]7717;%s%s;${END_LETTERS[end]};%s\\007' ${first} ${second} "$1" >/dev/tty`;
  const echo = `; (\\${word} set -- "$?"; ${print}; \\${word} exit "$1") 2>/dev/null`;
  return { nonce: first + second, echo };
}
