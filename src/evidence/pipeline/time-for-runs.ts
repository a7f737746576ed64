import { OperationalError } from "agent-tty/kit";
import type { Patience } from "../place.ts";
import type { RunKind, RunRecord } from "../run-record.ts";

/** The largest share of the time left at the first run that is reserved for the conclusion. */
const RESERVED_SHARE = 0.1;
const MAX_RESERVED_MS = 60_000;

/** The shortest time limit of a deaf run, in milliseconds. */
const MIN_DEAF_MS = 15_000;
/** The time limit of a deaf run, as a multiple of the longest run of a working product. */
const DEAF_FACTOR = 20;

export type VerificationErrorCode = "VERIFICATION_OUT_OF_TIME";

/** The time for runs: until the caller's deadline, minus a reserve for the caller's conclusion. */
export class TimeForRuns {
  readonly #clock: Patience["clock"];
  readonly #endsMs: number;
  #longestMs = 0;
  #isOver = false;

  constructor({ clock, remainingMs }: Patience) {
    this.#clock = clock;
    const wholeMs = remainingMs();
    this.#endsMs = clock.monotonicMs() + wholeMs - Math.min(wholeMs * RESERVED_SHARE, MAX_RESERVED_MS);
  }

  /** Milliseconds until the last run must have ended, at least 1. */
  get leftMs(): number {
    return Math.max(1, Math.round(this.#endsMs - this.#clock.monotonicMs()));
  }

  get longestMs(): number {
    return this.#longestMs;
  }

  /** Whether a run was not started, or was cut off, for lack of time. No run follows then. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns whether a run as long as the longest so far would finish in time. */
  isEnough(): boolean {
    if (this.leftMs <= this.#longestMs) this.#isOver = true;
    return !this.#isOver;
  }

  /**
   * Makes a run, with its preparation, and measures its duration. null: the run was cut off by our deadline, not by `timeoutMs`, so
   * it proves nothing.
   */
  async measure<Seen extends Pick<RunRecord, "end">>(
    run: () => Promise<Seen | null>,
    timeoutMs: number,
  ): Promise<Seen | null> {
    const startedMs = this.#clock.monotonicMs();
    const seen = await run();
    this.#longestMs = Math.max(this.#longestMs, this.#clock.monotonicMs() - startedMs);
    if (seen?.end.type !== "timed-out" || seen.end.limitMs >= timeoutMs) return seen;
    this.#isOver = true;
    return null;
  }
}

/**
 * Returns the time limit of one run in milliseconds. An answer of a deaf product can make a loop of the script endless, so a deaf run
 * is stopped when it takes many times as long as the runs of a working product.
 */
export function limitOfRun(
  kind: RunKind,
  records: readonly Pick<RunRecord, "kind" | "durationMs">[],
  timeoutMs: number,
): number {
  const known = records.filter((one) => one.kind === "real" || one.kind === "renumbered");
  if (kind !== "deaf" || known.length === 0) return timeoutMs;
  const longestMs = Math.max(...known.map(({ durationMs }) => durationMs));
  return Math.min(timeoutMs, Math.max(MIN_DEAF_MS, DEAF_FACTOR * longestMs));
}

export function outOfTime(runs: number, longestMs: number): OperationalError<VerificationErrorCode> {
  const took = runs === 0 ? "" : `, and the longest took ${Math.ceil(longestMs / 1_000)} s`;
  return new OperationalError<VerificationErrorCode>({
    code: "VERIFICATION_OUT_OF_TIME",
    message: `verify the reproduction: the run deadline leaves no time for the runs that a verdict still needs (${runs} were made${took})`,
    remedy:
      "Raise --run-deadline (runDeadline), or make the reproduction quicker. The next batch tries once more, from the Triage Agent's result and with the whole deadline.",
  });
}

/** Returns whether a verification rejected because its runs take longer than the time that was left. */
export function isOutOfTime(error: unknown): error is OperationalError<VerificationErrorCode> {
  return (
    error instanceof OperationalError &&
    error.code === ("VERIFICATION_OUT_OF_TIME" satisfies VerificationErrorCode)
  );
}
