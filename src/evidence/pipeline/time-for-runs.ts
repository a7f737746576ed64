import { OperationalError } from "agent-tty/kit";
import type { Patience } from "../place.ts";
import type { RunRecord } from "../run-record.ts";

/** Of the time that is left at the first run, so much at most is kept back for the conclusion. */
const RESERVED_SHARE = 0.1;
const MAX_RESERVED_MS = 60_000;

export type VerificationErrorCode = "VERIFICATION_OUT_OF_TIME";

/** How long runs may go on: to the caller's deadline, but for a reserve in which the caller can still write its conclusion. */
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

  /** A run was not begun, or was cut off, for want of time: no run follows. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a run as long as the longest so far would come to its end. */
  isEnough(): boolean {
    if (this.leftMs <= this.#longestMs) this.#isOver = true;
    return !this.#isOver;
  }

  /** Makes a run with its preparation. null: it was cut off by our deadline, not by `timeoutMs`, and tells nothing. */
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

export function outOfTime(runs: number, longestMs: number): OperationalError<VerificationErrorCode> {
  const took = runs === 0 ? "" : `, and the longest took ${Math.ceil(longestMs / 1_000)} s`;
  return new OperationalError<VerificationErrorCode>({
    code: "VERIFICATION_OUT_OF_TIME",
    message: `verify the reproduction: the run deadline leaves no time for the runs that a verdict still needs (${runs} were made${took})`,
    remedy:
      "Raise --run-deadline (runDeadline), or make the reproduction quicker. A batch tries it once more, from the Triage Agent's result and with the whole deadline.",
  });
}

/** Whether a verification rejected because its runs take longer than the time that was left. */
export function isOutOfTime(error: unknown): error is OperationalError<VerificationErrorCode> {
  return (
    error instanceof OperationalError &&
    error.code === ("VERIFICATION_OUT_OF_TIME" satisfies VerificationErrorCode)
  );
}
