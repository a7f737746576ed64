import type { Moment } from "./moment.ts";

/** Returns whether the moment is a failure after which the tool did not retry before the next submit. */
export function isFinalFailure(moments: readonly Moment[], index: number): boolean {
  if (!isFailure(moments[index])) return false;
  const next = moments.slice(index + 1).find((one) => isSubmit(one) || isAttempt(one));
  return next === undefined || isSubmit(next);
}

function isFailure(moment: Moment | undefined): boolean {
  const type = moment?.type === "traffic" ? moment.traffic.type : null;
  return type === "error-sent" || type === "disconnected";
}

function isAttempt(moment: Moment): boolean {
  return moment.type === "traffic" && moment.traffic.type === "main-request";
}

function isSubmit(moment: Moment): boolean {
  return moment.type === "input" && moment.means === "submit";
}
