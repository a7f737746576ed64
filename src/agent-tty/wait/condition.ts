import * as z from "zod/mini";
import { OperationalError, readAs } from "../kit/index.ts";
import { canBacktrackCatastrophically } from "./regex-safety.ts";
import type { RenderWaitCondition } from "./render-wait.ts";

export type WaitErrorCode = "INVALID_WAIT_CONDITION" | "REGEX_TOO_SLOW" | "STABILITY_NOT_PROVABLE_OFFLINE";

const wholeNumber = z.int().check(z.nonnegative());

const conditionSchema = z
  .strictObject({
    text: z.optional(z.string().check(z.minLength(1), z.maxLength(1_000))),
    regex: z.optional(
      z.string().check(
        z.minLength(1),
        z.maxLength(200),
        z.refine(isRegularExpression, "is not a regular expression"),
        z.refine(
          (source) => !canBacktrackCatastrophically(source),
          "could backtrack without end; repeat simpler groups",
        ),
      ),
    ),
    cursorRow: z.optional(wholeNumber),
    cursorCol: z.optional(wholeNumber),
    screenStableMs: z.optional(wholeNumber),
    afterSeq: z.optional(wholeNumber),
  })
  .check(
    z.refine(
      (condition) => condition.text === undefined || condition.regex === undefined,
      "give text or regex, not both",
    ),
    z.refine(
      ({ afterSeq: _baseline, ...parts }) => Object.values(parts).some((part) => part !== undefined),
      "give at least one of text, regex, cursor and stability",
    ),
  );

/** Throws INVALID_WAIT_CONDITION for a condition that is empty, contradictory or out of range. */
export function checkCondition(condition: RenderWaitCondition): void {
  const checked = readAs(conditionSchema, condition);
  if (checked.type === "read") return;
  throw new OperationalError<WaitErrorCode>({
    code: "INVALID_WAIT_CONDITION",
    message: `cannot wait for this: ${checked.problems.join("; ")}`,
    remedy:
      "`text` must have 1 to 1,000 characters and `regex` 1 to 200; the other values are whole numbers from 0.",
    details: { problems: checked.problems },
  });
}

/**
 * Throws STABILITY_NOT_PROVABLE_OFFLINE if the condition contains stability. A recording contains no time after its last event,
 * so it cannot prove that a screen stayed unchanged (A21).
 */
export function refuseStabilityOffline(condition: RenderWaitCondition): void {
  if (condition.screenStableMs === undefined) return;
  throw new OperationalError<WaitErrorCode>({
    code: "STABILITY_NOT_PROVABLE_OFFLINE",
    message: "the Session is not live, and replay cannot prove that a screen stayed unchanged",
    remedy: "wait for text, regex or cursor instead; the last screen of an exited Session is final",
  });
}

function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
