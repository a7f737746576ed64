import { MARK_LETTERS } from "./marks.ts";

/**
 * Returns the text of a zsh start file with the same hooks as `shellIntegrationScript`. Source it at the end of an interactive
 * shell's start, and pass the same nonce as `shellIntegration`. The prompt begins with a second carrier of the exit code, so that
 * a command that empties precmd_functions does not silence it. The end of a command that replaces both is not detected.
 */
export function zshIntegrationScript(nonce: string): string {
  if (!/^[0-9a-zA-Z]{8,64}$/.test(nonce)) throw new Error("the nonce must be 8 to 64 letters and digits");
  const mark = (kind: string): string => `\\e]7717;${nonce};${kind}\\a`;
  const inPrompt = (kind: string): string => `$'%{${mark(kind)}%}'`;
  return `# Shell integration: reports where commands start and end.
unset HISTFILE
HISTSIZE=0
SAVEHIST=0
setopt no_bang_hist no_prompt_sp prompt_percent
unset zle_bracketed_paste
typeset -g __tty_before_prompt=${inPrompt(`${MARK_LETTERS.promptStart};%?`)}
typeset -g __tty_after_prompt=${inPrompt(MARK_LETTERS.prompt)}
typeset -g __tty_more_mark=${inPrompt(MARK_LETTERS.continuation)}
# A trace (set -x) would show the marks.
__tty_precmd() { {
  local code=$?
  printf '${mark(`${MARK_LETTERS.end};%s`)}' "$code" >/dev/tty
  if [[ $PS1 != "$__tty_before_prompt"*"$__tty_after_prompt" ]]; then
    PS1="$__tty_before_prompt$PS1$__tty_after_prompt"
  fi
  if [[ $PS2 != *"$__tty_more_mark" ]]; then PS2="$PS2$__tty_more_mark"; fi
} 2>/dev/null }
__tty_preexec() { { printf '${mark(MARK_LETTERS.start)}' >/dev/tty } 2>/dev/null }
typeset -ga precmd_functions preexec_functions
precmd_functions=(__tty_precmd $precmd_functions)
preexec_functions=($preexec_functions __tty_preexec)
# Terminals of other Sessions that this process may have inherited are not this shell's to read or write.
for __tty_fd in /proc/self/fd/*(N:t); do
  if (( __tty_fd > 2 && __tty_fd < 10 )) && [[ -c /proc/self/fd/$__tty_fd ]]; then eval "exec $__tty_fd>&-"; fi
done
unset __tty_fd
`;
}
