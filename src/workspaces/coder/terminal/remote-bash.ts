import { shellQuote } from "agent-tty/kit";

/**
 * Returns a command line that runs a bash script inside a Coder workspace, for any login shell. The Triage Agent may have written
 * to the start files there, and files of its making must not configure a run (S12). A bash that takes itself for sshd's first
 * shell (SSH_CLIENT or a socket as stdin, SHLVL) reads ~/.bashrc even with `-c`, and every bash reads BASH_ENV. The command line
 * prevents this for the script and for what the script starts. The login shell runs before all this: docs/coder.md says which one
 * to use.
 */
export function remoteBash(script: string, words: readonly (string | number)[] = []): string {
  const argv = [shellQuote(script), ...words.map((word) => shellQuote(String(word)))].join(" ");
  return `exec env -u SSH_CLIENT -u SSH2_CLIENT -u BASH_ENV -u ENV SHLVL=1 bash --norc -c ${argv}`;
}
