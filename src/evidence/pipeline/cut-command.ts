import type { RunEnd } from "../run-record.ts";
import { HOME_OF_RUNS } from "./apart.ts";

/**
 * The one command line by which the parent runs something in a place: with the HOME and TMPDIR of the runs, apart from everything
 * else (`apart` names the variable that says how), nothing to read, and ended by `timeout` inside the place.
 */
export function cutCommand(command: string, apart: string, limitSeconds: number): string {
  return `${HOMES} $${apart} ${limited(command, limitSeconds)}`;
}

const HOMES = `HOME="$${HOME_OF_RUNS}/home" TMPDIR="$${HOME_OF_RUNS}/tmp"`;

function limited(command: string, limitSeconds: number): string {
  return `timeout --kill-after=5 ${limitSeconds} ${command} </dev/null`;
}

const PIPED = "afk_triage_piped";

/**
 * Defines a function of bash, once a Session: its arguments are a command that writes to a pipe, which `cat` shows while the
 * command runs. On a terminal programs print other text (reporters of test frameworks, colours), and a claim has to mean the
 * same in every run of the pipeline. Keeps the exit code. `cat` ends with the last process that holds the pipe: where runs are
 * kept apart, with the command. Elsewhere a daemon may hold it, so the function waits for `cat` for about 2 s at most.
 */
export const DEFINE_PIPED = [
  `${PIPED}() { local cat code look`,
  "exec 8> >(exec cat)",
  "cat=$!",
  '"$@" >&8 2>&1 8>&-',
  "code=$?",
  "exec 8>&-",
  '[ "$1" != unshare ] || wait "$cat" 2>/dev/null',
  'for look in {1..100}; do kill -0 "$cat" 2>/dev/null || break; sleep 0.02; done',
  'return "$code"; }',
].join("; ");

/** `cutCommand` for a terminal, where `DEFINE_PIPED` has run. It is short: the screen of a run shows it. */
export function cutCommandOnTerminal(command: string, apart: string, limitSeconds: number): string {
  return `${HOMES} ${PIPED} $${apart} ${limited(command, limitSeconds)}`;
}

/** 124 and 137 are also `timeout`'s own: told apart from the command's by the time it took. */
export function endOfCut(exitCode: number, durationMs: number, limitMs: number): RunEnd {
  const wasCut = durationMs >= limitMs && (exitCode === 124 || exitCode === 137);
  return wasCut ? { type: "timed-out", limitMs } : { type: "exited", exitCode };
}
