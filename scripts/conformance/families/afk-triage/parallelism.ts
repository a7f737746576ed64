import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { defaultRunFlags, readEnvironment, resolveSettings } from "../../../../src/config/index.ts";
import { type CaseReport, compare, compareDocumented } from "../../case-report.ts";

export const parallelismSchema = z.strictObject({
  default: z.number(),
  max: z.number(),
  min: z.number(),
  env: z.string(),
  precedence: z.literal("flag > env > default"),
  invalid: z.array(z.string()),
});

/** The project's contract: `--parallelism N` has priority over TRIAGE_PARALLELISM; the default is 5, the range 1–200. */
const OUR_MAX = 200;
const REASON = "the contract of `run` allows 1 to 200";

export function checkParallelism(facts: z.infer<typeof parallelismSchema>): CaseReport[] {
  const resolved = (flag: number | undefined, variable: string | undefined): number | "refused" =>
    resolve(facts.env, flag, variable);
  const limits = (min: number, max: number): unknown[] =>
    [min - 1, min, max, max + 1].map((value) => resolved(undefined, String(value)));
  return [
    compare("parallelism: default", facts.default, resolved(undefined, undefined)),
    compareDocumented("parallelism: limits", {
      expected: ["refused", facts.min, facts.max, "refused"],
      ours: ["refused", facts.min, OUR_MAX, "refused"],
      seen: limits(facts.min, OUR_MAX),
      reason: REASON,
    }),
    compare(
      `parallelism: ${facts.precedence}`,
      [7, 3, facts.default],
      [resolved(7, "3"), resolved(undefined, "3"), resolved(undefined, undefined)],
    ),
    ...facts.invalid.map((text) => checkInvalid(text, resolved(undefined, text))),
  ];
}

/** Checks a value that the cases call invalid: one in our wider range is a documented difference; any other must be refused. */
function checkInvalid(text: string, seen: number | "refused"): CaseReport {
  const id = `parallelism: ${JSON.stringify(text)}`;
  const value = Number(text);
  const isOurs = Number.isInteger(value) && value >= 1 && value <= OUR_MAX;
  return isOurs
    ? compareDocumented(id, { expected: "refused", ours: value, seen, reason: REASON })
    : compare(id, "refused", seen);
}

function resolve(name: string, flag: number | undefined, variable: string | undefined): number | "refused" {
  const flags = { ...defaultRunFlags, repo: ["octo/widgets"] as const, parallelism: flag };
  try {
    const environment = readEnvironment(variable === undefined ? {} : { [name]: variable });
    return resolveSettings(flags, environment, {}).batch.parallelism;
  } catch (error) {
    if (error instanceof OperationalError) return "refused";
    throw error;
  }
}
