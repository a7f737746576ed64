/** Programs that read commands of their own language, or none: a typed POSIX command would end nowhere in them. */
const NO_SHELLS =
  /^(?:python[\d.]*|ipython\d?|node|deno|bun|irb|ruby|php|lua|ghci|R|psql|mysql|mariadb|sqlite3|redis-cli|gdb|lldb|bc|vi|vim|vim\..*|nvim|view|nano|emacs|less|more|most|man|top|htop|claude|codex|fish|nu|pwsh|elvish|xonsh|csh|tcsh)$/;

/** True for a program that is known to be no POSIX shell. What is unknown may lead to one: ssh, docker, a wrapper. */
export function isKnownNoShell(program: string): boolean {
  return NO_SHELLS.test(program);
}
