import { MARK_LETTERS } from "./marks.ts";
import { evalForPosix, expectedContinuations, typedForBash } from "./typed-lines.ts";

/** What is typed for one Waited Run, and what of its echo is ours to hide. */
export interface TypedRun {
  text: string;
  /** Continuation prompts beyond this many mean that the shell wants more than was typed. */
  continuations: number;
  /** Set when the completion mark is printed by the typed line itself. */
  postamble: { nonce: string; echo: string } | null;
}

/** How to make a shell report the end of a command. */
export interface ShellDialect {
  /** True when prompt hooks tell when the shell will read a new command. */
  readonly hasPromptMarks: boolean;
  typed(commandLine: string): TypedRun;
}

/** A bash started with `shellIntegrationScript`. */
export const integratedBash: ShellDialect = {
  hasPromptMarks: true,
  typed: (commandLine) => {
    const text = typedForBash(commandLine);
    return { text, continuations: expectedContinuations(text), postamble: null };
  },
};

/**
 * Any POSIX shell: the line itself prints the mark after the command. The nonce is typed in two halves, so neither
 * the echo nor a `ps` holds the mark.
 */
export function plainShell(
  program: string,
  nonce: () => string,
  end: "end" | "innerEnd" = "end",
): ShellDialect {
  const isZsh = /(?:^|\/)zsh$/.test(program);
  return {
    hasPromptMarks: false,
    typed: (commandLine) => {
      const [first, second] = [nonce(), nonce()];
      const postamble = `; printf '\\033]7717;%s%s;${MARK_LETTERS[end]};%s\\007' ${first} ${second} "$?"`;
      return {
        text: evalForPosix(commandLine, isZsh) + postamble,
        continuations: Number.POSITIVE_INFINITY,
        postamble: { nonce: first + second, echo: postamble },
      };
    },
  };
}
