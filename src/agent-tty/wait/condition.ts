import * as z from "zod";
import { OperationalError } from "../kit/index.ts";
import { canBacktrackCatastrophically } from "./regex-safety.ts";
import type { RenderWaitCondition } from "./render-wait.ts";

export type WaitErrorCode = "INVALID_WAIT_CONDITION" | "REGEX_TOO_SLOW" | "STABILITY_NOT_PROVABLE_OFFLINE";

const wholeNumber = z.number().int().nonnegative();

const conditionSchema = z
  .strictObject({
    text: z.string().min(1).max(1_000).optional(),
    regex: z
      .string()
      .min(1)
      .max(200)
      .refine(isRegularExpression, "is not a regular expression")
      .refine(
        (source) => !canBacktrackCatastrophically(source),
        "could backtrack without end; repeat simpler groups",
      )
      .optional(),
    cursorRow: wholeNumber.optional(),
    cursorCol: wholeNumber.optional(),
    screenStableMs: wholeNumber.optional(),
    afterSeq: wholeNumber.optional(),
  })
  .refine(
    (condition) => condition.text === undefined || condition.regex === undefined,
    "give text or regex, not both",
  )
  .refine(
    ({ afterSeq: _baseline, ...parts }) => Object.values(parts).some((part) => part !== undefined),
    "give at least one of text, regex, cursor and stability",
  );

/** Throws INVALID_WAIT_CONDITION. */
export function checkCondition(condition: RenderWaitCondition): void {
  const parsed = conditionSchema.safeParse(condition);
  if (parsed.success) return;
  const problems = parsed.error.issues.map((issue) => [...issue.path, issue.message].join(" "));
  throw new OperationalError<WaitErrorCode>({
    code: "INVALID_WAIT_CONDITION",
    message: `cannot wait for this: ${problems.join("; ")}`,
    remedy: "text takes 1 to 1,000 characters, regex 1 to 200, the others whole numbers from 0",
    details: { problems },
  });
}

/** A21: a recording holds no time after its last event, so stability cannot be proven from it. */
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
