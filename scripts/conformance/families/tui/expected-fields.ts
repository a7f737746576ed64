import { isDeepStrictEqual } from "node:util";
import type { CaseReport, Gate } from "../../case-report.ts";

/** Fields by the name that the cases give them. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of one family alone: its names for evidence, and fields that no other tracker has. */
const NOT_OURS = new Set(["chat_context", "latest_status_line", "prompt_text"]);

/**
 * One case of `expected` fields against those seen: only what is expected is compared. Reasons have other names in every
 * project, so of them only counts whether there is one, and growth of the transcript, which is not on any screen.
 */
export function compareFields(id: string, gate: Gate, expected: Fields, seen: Fields): CaseReport[] {
  const fields = Object.keys(expected).filter((field) => !NOT_OURS.has(field));
  if (fields.length === 0) return [];
  const wrong = fields.filter((field) => !agrees(field, expected[field], seen[field]));
  const pick = (from: Fields): object => Object.fromEntries(wrong.map((field) => [field, from[field]]));
  const verdict: CaseReport["verdict"] =
    wrong.length === 0 ? { type: "passed" } : { type: "differs", expected: pick(expected), seen: pick(seen) };
  return [{ id, gate, verdict }];
}

function agrees(field: string, expected: unknown, seen: unknown): boolean {
  if (field !== "active_reasons") return isDeepStrictEqual(expected, seen);
  const [wanted, found] = [expected as readonly string[], (seen ?? []) as readonly string[]];
  if (wanted.includes("transcript_growth")) return found.includes("transcript_growth");
  return wanted.length > 0 === found.length > 0;
}
