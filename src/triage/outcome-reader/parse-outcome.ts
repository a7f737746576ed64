import { z } from "zod";
import { redactSecrets } from "../../github/index.ts";
import { type Outcome, OUTCOME_MAX_BYTES, outcomeSchema } from "../outcome.ts";
import { findIncompleteness } from "./find-incompleteness.ts";
import { findJsonHazard } from "./find-json-hazard.ts";
import type { OutcomeProblem } from "./outcome-problem.ts";

export type ParsedOutcome =
  | { type: "valid"; outcome: Outcome }
  /** `text`: the content of the file, decoded as UTF-8 and cut to the size limit. */
  | { type: "invalid"; problem: OutcomeProblem; text: string };

/**
 * Returns the outcome of a Triage Agent's outcome file, checked, or the problem with it (S9). Returns a result for any bytes;
 * never throws.
 */
export function parseOutcome(bytes: Uint8Array, issueNumber: number): ParsedOutcome {
  const invalid = (code: OutcomeProblem["code"], message: string): ParsedOutcome => {
    const text = Buffer.from(bytes.subarray(0, OUTCOME_MAX_BYTES)).toString("utf8");
    return { type: "invalid", problem: { code, message: redactSecrets(message).slice(0, 400) }, text };
  };
  if (bytes.byteLength > OUTCOME_MAX_BYTES) {
    return invalid("too-large", `${bytes.byteLength} bytes; at most ${OUTCOME_MAX_BYTES} are read`);
  }
  const text = decodeUtf8(bytes);
  if (text === null) return invalid("not-utf8", "the outcome file is not valid UTF-8");
  const json = parseJson(text);
  if (json.type === "malformed") return invalid("not-json", json.message);
  const hazard = findJsonHazard(text);
  if (hazard !== null) return invalid(hazard.code, hazard.message);

  const parsed = outcomeSchema.safeParse(json.value);
  if (!parsed.success) return invalid("schema", describe(parsed.error));
  if (parsed.data.issue !== issueNumber) {
    return invalid("wrong-issue", `it is about issue ${parsed.data.issue}, not ${issueNumber}`);
  }
  const incompleteness = findIncompleteness(parsed.data);
  if (incompleteness !== null) return invalid("incomplete", incompleteness);
  return { type: "valid", outcome: parsed.data };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): { type: "value"; value: unknown } | { type: "malformed"; message: string } {
  try {
    return { type: "value", value: JSON.parse(text) };
  } catch (error) {
    return { type: "malformed", message: error instanceof Error ? error.message : "not JSON" };
  }
}

function describe(error: z.ZodError): string {
  const [first, ...rest] = error.issues;
  const at = first?.path.join(".") ?? "";
  return `${at === "" ? "" : `${at}: `}${first?.message ?? "invalid"}${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`;
}
