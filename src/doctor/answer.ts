import {
  type Clock,
  messageOf,
  OperationalError,
  raceSignal,
  startDeadline,
  DeadlineExceeded,
} from "agent-tty/kit";
import { type DoctorCheck, type DoctorCheckName, failed, skip } from "./doctor-check.ts";

/** The answer of a probe: a value, a failure, or the earlier question that it depends on. */
export type Answer<Value> =
  | { type: "answered"; value: Value }
  | { type: "failed"; code: string; message: string; remedy: string }
  | { type: "not-asked"; because: string };

/** Returns the answer of a question that was asked. */
export function answered<Value>(value: Value): Answer<Value> {
  return { type: "answered", value };
}

/** Returns the answer of a question that was not asked, with the reason in `because`. */
export function notAsked(because: string): Answer<never> {
  return { type: "not-asked", because };
}

export interface Asking {
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Returns the answer of `probe`, which has a time limit. A probe that fails or is too late has the answer `failed`. Rejects only
 * when `signal` is aborted.
 */
export async function ask<Value>(
  question: { what: string; limitMs: number },
  { clock, signal }: Asking,
  probe: (signal: AbortSignal) => Promise<Value>,
): Promise<Answer<Value>> {
  using deadline = startDeadline(clock, question.what, question.limitMs, signal);
  try {
    return answered(await raceSignal(probe(deadline.signal), deadline.signal));
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, question);
  }
}

/** Returns the answer of `probe`, or `not-asked` if the earlier question `name` has no answer. */
export function askAfter<Earlier, Value>(
  earlier: Answer<Earlier>,
  name: DoctorCheckName,
  probe: (value: Earlier) => Promise<Answer<Value>>,
): Promise<Answer<Value>> {
  if (earlier.type === "answered") return probe(earlier.value);
  return Promise.resolve(notAsked(`it needs ${name}`));
}

/** Returns the check of an answered question; otherwise a check that says why there is no answer. */
export function judge<Value>(
  name: DoctorCheckName,
  answer: Answer<Value>,
  verdict: (value: Value) => DoctorCheck,
): DoctorCheck {
  switch (answer.type) {
    case "answered":
      return verdict(answer.value);
    case "failed":
      return failed(name, answer.message, answer.remedy);
    case "not-asked":
      return skip(name, `not checked: ${answer.because}`);
  }
}

function failureOf(
  error: unknown,
  { what, limitMs }: { what: string; limitMs: number },
): Extract<Answer<never>, { type: "failed" }> {
  if (error instanceof OperationalError)
    return { type: "failed", code: error.code, message: error.message, remedy: error.remedy };
  if (error instanceof DeadlineExceeded)
    return {
      type: "failed",
      code: "NO_ANSWER",
      message: `${what}: no answer within ${limitMs / 1_000} s`,
      remedy: "Check the network and whether the machine is overloaded, and run `afk-triage doctor` again.",
    };
  return {
    type: "failed",
    code: "INTERNAL_ERROR",
    message: `${what}: ${messageOf(error)}`,
    remedy: "This is a bug in afk-triage: report it with this message.",
  };
}
