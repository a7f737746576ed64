/**
 * An operational failure: something outside the program went wrong, and a person can do something about it.
 *
 * `message` says what was attempted and what was seen; `remedy` says what to do next. A bug is not one of
 * these: assert and crash. An expected outcome (timeout, exited, locked) is a value, not an error.
 *
 * Each layer declares the union of its codes; the command lines map every code to an exit code in one total table.
 */
export class OperationalError<Code extends string = string> extends Error {
  override readonly name = "OperationalError";
  readonly code: Code;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(failure: OperationalFailure<Code>) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.remedy = failure.remedy;
    this.details = failure.details ?? {};
  }
}

export interface OperationalFailure<Code extends string> {
  code: Code;
  message: string;
  remedy: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * Returns the text of any thrown value, for a message that quotes it.
 * @example
 * messageOf(new Error("disk full")) // => "disk full"
 */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
