import * as z from "zod/mini";
import { readAs } from "../../kit/index.ts";
import { usageError } from "../usage.ts";

const DEFAULT_RUN_TIMEOUT_MS = 30_000;
export const DEFAULT_WAIT_TIMEOUT_MS = 600_000;

const text = z.string().check(z.minLength(1));
const whole = z.int().check(z.nonnegative());

const waitStep = z.strictObject({
  text: z.optional(z.string()),
  regex: z.optional(z.string()),
  screenStableMs: z.optional(whole),
  cursorRow: z.optional(whole),
  cursorCol: z.optional(whole),
  timeout: z.optional(whole),
});

const STEP_SCHEMAS = {
  type: z.strictObject({ type: text }),
  paste: z.strictObject({ paste: text }),
  sendKeys: z.strictObject({ sendKeys: z.array(text).check(z.minLength(1)) }),
  run: z.strictObject({
    run: text,
    noWait: z.optional(z.boolean()),
    timeout: z.optional(z.int().check(z.positive())),
  }),
  wait: z.strictObject({ wait: waitStep }),
};

const VERBS = "type, paste, sendKeys, run and wait";
const SHOWN_CHARACTERS = 100;

export type BatchStep =
  | { kind: "type" | "paste"; text: string }
  | { kind: "sendKeys"; keys: string[] }
  | { kind: "run"; commandLine: string; waits: boolean; timeoutMs: number }
  | { kind: "wait"; condition: Record<string, string | number>; timeoutMs: number | null };

/** Parses the whole plan. A batch is not atomic, so nothing is sent unless every step is valid. Throws USAGE. */
export function parseBatchPlan(source: string): BatchStep[] {
  const value = parseJson(source);
  if (!Array.isArray(value) || value.length === 0)
    throw badPlan("the steps of a batch are a JSON array with at least one step");
  return value.map((step: unknown, index) => parseStep(step, index));
}

function parseStep(step: unknown, index: number): BatchStep {
  const verbs = Object.keys(STEP_SCHEMAS).filter(
    (verb) => typeof step === "object" && step !== null && Object.hasOwn(step, verb),
  ) as (keyof typeof STEP_SCHEMAS)[];
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1)
    throw badPlan(`step ${index} takes one of ${VERBS}, not ${verbs.join(" and ") || keysOf(step)}`);
  const read = <Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> => {
    const parsed = readAs(schema, step);
    if (parsed.type === "read") return parsed.value;
    const known = Object.keys(verb === "wait" ? waitStep.shape : STEP_SCHEMAS[verb].shape).join(", ");
    throw badPlan(`step ${index} is not understood: ${parsed.problems.join("; ")} (known keys: ${known})`);
  };
  switch (verb) {
    case "type":
      return { kind: verb, text: read(STEP_SCHEMAS.type).type };
    case "paste":
      return { kind: verb, text: read(STEP_SCHEMAS.paste).paste };
    case "sendKeys":
      return { kind: verb, keys: read(STEP_SCHEMAS.sendKeys).sendKeys };
    case "run": {
      const { run, noWait = false, timeout = DEFAULT_RUN_TIMEOUT_MS } = read(STEP_SCHEMAS.run);
      return { kind: verb, commandLine: run, waits: !noWait, timeoutMs: timeout };
    }
    case "wait": {
      const { timeout = DEFAULT_WAIT_TIMEOUT_MS, ...parts } = read(STEP_SCHEMAS.wait).wait;
      const condition = Object.fromEntries(
        Object.entries(parts).filter((part): part is [string, string | number] => part[1] !== undefined),
      );
      if (Object.keys(condition).length === 0) throw badPlan(`step ${index} waits for nothing`);
      return { kind: verb, condition, timeoutMs: timeout === 0 ? null : timeout };
    }
    default:
      return verb satisfies never;
  }
}

/** Returns the keys of a step, or its JSON if it has none, for the message about a step without a verb. */
function keysOf(step: unknown): string {
  if (typeof step !== "object" || step === null) return JSON.stringify(step).slice(0, SHOWN_CHARACTERS);
  return Object.keys(step).join(" and ").slice(0, SHOWN_CHARACTERS) || "nothing";
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw badPlan("the steps of a batch are not JSON");
  }
}

function badPlan(message: string): Error {
  return usageError(
    message,
    'Give steps such as [{"run":"make"},{"sendKeys":["Enter"]},{"wait":{"text":"done"}}]',
  );
}
