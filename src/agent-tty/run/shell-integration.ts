import { MARK_LETTERS } from "./marks.ts";

/**
 * Returns the text of a bash rc file whose prompt hooks report command start, command end with exit code, prompt and continuation
 * prompt. Start bash with `--noediting --rcfile FILE -i` and pass the same nonce as `shellIntegration`.
 *
 * The end of a command has two carriers, so that a command which sets PS1 or PROMPT_COMMAND does not silence it. The first is the
 * second element of the PROMPT_COMMAND array (bash 5.1; a plain assignment replaces only the first element), which also repairs
 * the prompts. The second is the prompt itself, which begins with a mark of the last exit code. The end of a command that
 * replaces both, or that redirects the shell's own stderr after silencing the first, is not detected.
 */
export function shellIntegrationScript(nonce: string): string {
  if (!/^[0-9a-zA-Z]{8,64}$/.test(nonce)) throw new Error("the nonce must be 8 to 64 letters and digits");
  const mark = (kind: string): string => `\\e]7717;${nonce};${kind}\\a`;
  return `# Shell integration: reports where commands start and end.
unset HISTFILE HISTFILESIZE
HISTSIZE=0
set +o history
set +H
shopt -s promptvars
bind 'set enable-bracketed-paste off' 2>/dev/null
__tty_before_prompt='\\[${mark(`${MARK_LETTERS.promptStart};$?`)}\\]'
__tty_after_prompt='\\[${mark(MARK_LETTERS.prompt)}\\]'
__tty_more_mark='\\[${mark(MARK_LETTERS.continuation)}\\]'
__tty_start_mark='${mark(MARK_LETTERS.start)}'
__tty_hook() {
  local code=$?
  { printf '${mark(`${MARK_LETTERS.end};%s`)}' "$code" >/dev/tty; } 2>/dev/null
  if [[ \${PS1-} != "$__tty_before_prompt"*"$__tty_after_prompt" ]]; then
    PS1="$__tty_before_prompt\${PS1-}$__tty_after_prompt"
  fi
  if [[ \${PS2-} != *"$__tty_more_mark" ]]; then PS2="\${PS2-}$__tty_more_mark"; fi
  if [[ \${PS0-} != *"$__tty_start_mark" ]]; then PS0="\${PS0-}$__tty_start_mark"; fi
}
PS1="$__tty_before_prompt"'$ '"$__tty_after_prompt"
PS2='> '"$__tty_more_mark"
PS0="$__tty_start_mark"
PROMPT_COMMAND=
PROMPT_COMMAND[1]='{ __tty_hook; } 2>/dev/null'
# Terminals of other Sessions that this process may have inherited are not this shell's to read or write.
for __tty_fd in /proc/self/fd/*; do
  case "\${__tty_fd##*/}" in
    0 | 1 | 2 | 255 | '*') ;;
    *) if [[ -c $__tty_fd ]]; then eval "exec \${__tty_fd##*/}>&-"; fi ;;
  esac
done
unset __tty_fd
`;
}
