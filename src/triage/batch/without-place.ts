import { OperationalError } from "agent-tty/kit";

/**
 * Returns an `OperationalError` marked as the lack of a place for a verification, and other errors, such as the reason of a
 * signal, unchanged. The returned error has no mark for a retry: the verification has had its retries, and the Triage Run must
 * not begin again.
 */
export function noPlace(error: unknown): unknown {
  if (!(error instanceof OperationalError) || isWithoutPlace(error)) return error;
  const { retry: _, ...details } = error.details;
  return new OperationalError({
    code: error.code,
    message: `verify the reproduction in a place that no Triage Agent has used: ${error.message}. Nothing was published`,
    remedy: `${error.remedy} What the Triage Agent found is kept with the run. \`reproduction.place: same\` verifies in its own Coder workspace, which is weaker.`,
    details: { ...details, place: "unavailable" },
    cause: error,
  });
}

/** Returns whether a verification failed because there was no place for it: the issue is requeued. */
export function isWithoutPlace(error: unknown): error is OperationalError {
  return error instanceof OperationalError && error.details["place"] === "unavailable";
}
