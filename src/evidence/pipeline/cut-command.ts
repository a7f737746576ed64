import type { RunEnd } from "../run-record.ts";
import { HOME_OF_RUNS } from "./apart.ts";

/**
 * Returns the command line with which the parent runs every command in a place: with the HOME and TMPDIR of the runs, isolated by
 * the command in the variable named `apart`, with an empty standard input, and ended by `timeout` inside the place.
 */
export function cutCommand(command: string, apart: string, limitSeconds: number): string {
  return `${HOMES} $${apart} ${limited(command, limitSeconds)}`;
}

const HOMES = `HOME="$${HOME_OF_RUNS}/home" TMPDIR="$${HOME_OF_RUNS}/tmp"`;

/**
 * Shell text that runs once before all runs. It prevents Python from loading or writing compiled code: a `.pyc` could contain other
 * code than its source, so runs may not write one beside a source either.
 */
export const WITHOUT_PYTHON_CACHE = "export PYTHONPYCACHEPREFIX=/dev/null/python";

function limited(command: string, limitSeconds: number): string {
  return `timeout --kill-after=5 ${limitSeconds} ${command} </dev/null`;
}

const PIPED = "afk_triage_piped";

/**
 * Shell text that defines a bash function, once per Session. Its arguments are a command, whose output goes through a pipe to
 * `cat`. On a terminal, programs print other text (reporters of test frameworks, colours), but a claim must mean the same in every
 * run of the pipeline. The function returns the command's exit code. `cat` ends with the last process that holds the pipe: if runs
 * are isolated, that is the command. Otherwise a daemon may hold the pipe, so the function waits for `cat` for at most about 2 s.
 * The terminal no longer echoes, even afterwards: tmux answers terminal queries in the output, and the answers would be shown as
 * output.
 */
export const DEFINE_PIPED = [
  `${PIPED}() { local cat code look`,
  "stty -echo 2>/dev/null </dev/tty",
  "exec 8> >(exec cat)",
  "cat=$!",
  '"$@" >&8 2>&1 8>&-',
  "code=$?",
  "exec 8>&-",
  '[ "$1" != unshare ] || wait "$cat" 2>/dev/null',
  'for look in {1..100}; do kill -0 "$cat" 2>/dev/null || break; sleep 0.02; done',
  'return "$code"; }',
].join("; ");

/**
 * Returns the `cutCommand` for a terminal in which `DEFINE_PIPED` has run. It is short, because the screen of a run shows it.
 * `environment`: assignments.
 */
export function cutCommandOnTerminal(
  command: string,
  apart: string,
  limitSeconds: number,
  environment = "",
): string {
  const assignments = environment === "" ? HOMES : `${HOMES} ${environment}`;
  return `${assignments} ${PIPED} $${apart} ${limited(command, limitSeconds)}`;
}

/** Returns how a run ended. A command may exit with 124 or 137, as `timeout` does; the duration distinguishes the two cases. */
export function endOfCut(exitCode: number, durationMs: number, limitMs: number): RunEnd {
  const wasCut = durationMs >= limitMs && (exitCode === 124 || exitCode === 137);
  return wasCut ? { type: "timed-out", limitMs } : { type: "exited", exitCode };
}
