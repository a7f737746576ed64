import { shellQuote } from "../../shell-quote.ts";

/**
 * A command line that runs a bash script inside a Coder workspace, for any login shell. A bash that takes itself for sshd's
 * first shell (SSH_CLIENT or a socket as stdin, SHLVL) reads ~/.bashrc also for `-c`, and every bash reads BASH_ENV: files in which
 * the Triage Agent may have written (S12). What the script starts does not take itself for one either. The login shell comes
 * before all this: docs/coder.md says which one to take.
 */
export function remoteBash(script: string, words: readonly (string | number)[] = []): string {
  const argv = [shellQuote(script), ...words.map((word) => shellQuote(String(word)))].join(" ");
  return `exec env -u SSH_CLIENT -u SSH2_CLIENT -u BASH_ENV -u ENV SHLVL=1 bash --norc -c ${argv}`;
}
