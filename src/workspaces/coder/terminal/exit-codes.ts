import type { SessionExit } from "agent-tty";

/** cli/root.go and cli/ssh.go: the CLI's own failures, a session that could not start, a connection that was lost. */
const CLI_EXIT_CODES: ReadonlySet<number> = new Set([1, 229, 255]);
/** In place of these a remote shell's exit is reported as another code, so that they are always the CLI's. */
const REMAPPED_EXIT_CODE = 70;

/** Whether the end of a terminal's program says nothing about the shell behind it: the CLI may also be killed. */
export function isLostConnection(exit: SessionExit): boolean {
  return exit.type !== "code" || CLI_EXIT_CODES.has(exit.code);
}

/** The exit code of a remote shell as a terminal's program passes it on. */
export function shellExitCode(code: number): number {
  return CLI_EXIT_CODES.has(code) ? REMAPPED_EXIT_CODE : code;
}

/** bash: ends with `$code` as `shellExitCode` has it. */
export const EXIT_WITH_CODE = `case "$code" in ${[...CLI_EXIT_CODES].join("|")}) exit ${REMAPPED_EXIT_CODE} ;; *) exit "$code" ;; esac`;
