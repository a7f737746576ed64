/** Programs that read commands in their own language, or no commands: a POSIX command typed to them would never end. */
const NO_SHELLS =
  /^(?:python[\d.]*|ipython\d?|node|deno|bun|irb|ruby|php|lua|ghci|R|psql|mysql|mariadb|sqlite3|redis-cli|gdb|lldb|bc|vi|vim|vim\..*|nvim|view|nano|emacs|less|more|most|man|top|htop|claude|codex|fish|nu|pwsh|elvish|xonsh|csh|tcsh)$/;

/**
 * Returns true for a program that is known not to be a POSIX shell. An unknown program may lead to a shell: ssh, docker, a
 * wrapper.
 */
export function isKnownNoShell(program: string): boolean {
  return NO_SHELLS.test(program);
}
