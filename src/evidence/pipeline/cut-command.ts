import type { RunEnd } from "../run-record.ts";
import { HOME_OF_RUNS } from "./apart.ts";

/**
 * The one command line by which the parent runs something in a place: with the HOME and TMPDIR of the runs, apart from everything
 * else (`apart` names the variable that says how), nothing to read, and ended by `timeout` inside the place.
 */
export function cutCommand(command: string, apart: string, limitSeconds: number): string {
  return `HOME="$${HOME_OF_RUNS}/home" TMPDIR="$${HOME_OF_RUNS}/tmp" $${apart} timeout --kill-after=5 ${limitSeconds} ${command} </dev/null`;
}

/** 124 and 137 are also `timeout`'s own: told apart from the command's by the time it took. */
export function endOfCut(exitCode: number, durationMs: number, limitMs: number): RunEnd {
  const wasCut = durationMs >= limitMs && (exitCode === 124 || exitCode === 137);
  return wasCut ? { type: "timed-out", limitMs } : { type: "exited", exitCode };
}
