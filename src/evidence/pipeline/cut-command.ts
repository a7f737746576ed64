import type { RunEnd } from "../run-record.ts";
import { HOME_OF_RUNS } from "./apart.ts";

/**
 * The one command line by which the parent runs something in a place: with the HOME and TMPDIR of the runs, apart from everything
 * else (`apart` names the variable that says how), nothing to read, and ended by `timeout` inside the place.
 */
export function cutCommand(command: string, apart: string, limitSeconds: number): string {
  return `HOME="$${HOME_OF_RUNS}/home" TMPDIR="$${HOME_OF_RUNS}/tmp" $${apart} timeout --kill-after=5 ${limitSeconds} ${command} </dev/null`;
}

/**
 * The same in bash, for a terminal: the command writes to a pipe, which `cat` shows while the command runs. On a terminal
 * programs print other text (reporters of test frameworks, colours), and a claim has to mean the same in every run of the
 * pipeline. Keeps the exit code. `cat` ends with the last process that holds the pipe. Where runs are not kept apart a daemon may
 * hold it, so the line waits for `cat` for about 2 s at most.
 */
export function cutCommandOnTerminal(command: string, apart: string, limitSeconds: number): string {
  return [
    "exec 8> >(exec cat); AFK_TRIAGE_CAT=$!",
    `${cutCommand(command, apart, limitSeconds)} >&8 2>&1 8>&-`,
    "AFK_TRIAGE_CODE=$?; exec 8>&-",
    'for AFK_TRIAGE_WAIT in {1..100}; do kill -0 "$AFK_TRIAGE_CAT" 2>/dev/null || break; sleep 0.02; done',
    '(exit "$AFK_TRIAGE_CODE")',
  ].join("; ");
}

/** 124 and 137 are also `timeout`'s own: told apart from the command's by the time it took. */
export function endOfCut(exitCode: number, durationMs: number, limitMs: number): RunEnd {
  const wasCut = durationMs >= limitMs && (exitCode === 124 || exitCode === 137);
  return wasCut ? { type: "timed-out", limitMs } : { type: "exited", exitCode };
}
