import type { Failure } from "../data/index.ts";

/** Returns the failure with a message for people if a Triage Run does not exist; returns every other failure unchanged. */
export function whyNoRun(failure: Failure): Failure {
  if (failure.code !== "NOT_FOUND" && failure.code !== "REQUEST_INVALID") return failure;
  return {
    ...failure,
    message: "This Triage Run is not in this home.",
    remedy:
      "The address may belong to the board of another home. The board of a fleet forgets old runs, and a run whose row is damaged cannot be shown.",
  };
}
