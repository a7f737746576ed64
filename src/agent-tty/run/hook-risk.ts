/** Names and words with which a command can take the prompt hooks away, or define something that does. */
const RISKY =
  /\b(?:PS[0-4]|RPS\d|R?PROMPT\d?|PROMPT_\w+|IFS|POSIXLY_CORRECT)\b|precmd|preexec|__tty|\(\s*\)|\b(?:trap|exec|unset|unfunction|source|eval|set|shopt|setopt|unsetopt|emulate|bind|bindkey|stty|alias|function|readonly|declare|typeset|enable|disable|builtin|autoload|zmodload|zle|activate|conda)\b|(?:^|[;&|({\s])\.\s/;

/**
 * True when a command line may change what reports the end of a command. What it defines can do so in any later line:
 * from the first such line on, no line is safe.
 */
export function mayTakeHooksAway(commandLine: string): boolean {
  return RISKY.test(commandLine);
}
