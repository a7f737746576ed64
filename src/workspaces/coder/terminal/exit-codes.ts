import type { SessionExit } from "agent-tty";

/**
 * The CLI's own exit codes (cli/root.go and cli/ssh.go): a failure of the CLI, a session that could not start, a lost connection.
 */
const CLI_EXIT_CODES: ReadonlySet<number> = new Set([1, 229, 255]);
/**
 * The exit code that is reported if a remote shell exits with one of the CLI's codes, so that those codes always come from the
 * CLI.
 */
const REMAPPED_EXIT_CODE = 70;

/**
 * Returns whether a terminal's program ended in a way that says nothing about the shell behind it. The CLI may also have been
 * killed.
 */
export function isLostConnection(exit: SessionExit): boolean {
  return exit.type !== "code" || CLI_EXIT_CODES.has(exit.code);
}

/** Returns the exit code of a remote shell as a terminal's program reports it. */
export function shellExitCode(code: number): number {
  return CLI_EXIT_CODES.has(code) ? REMAPPED_EXIT_CODE : code;
}

/** A bash fragment that exits with `$code`, converted as in `shellExitCode`. */
export const EXIT_WITH_CODE = `case "$code" in ${[...CLI_EXIT_CODES].join("|")}) exit ${REMAPPED_EXIT_CODE} ;; *) exit "$code" ;; esac`;
