import { isDeepStrictEqual } from "node:util";
import type { CaseReport, Gate } from "../../case-report.ts";

/** Fields by the names that the cases use. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields that only the origin's tracker has: its names for evidence, and further data. */
const NOT_OURS = new Set(["chat_context", "latest_status_line", "prompt_text"]);

/**
 * Compares the `expected` fields of one case with the observed ones; other fields are ignored. The names of reasons differ
 * between projects, so the comparison only checks whether there is a reason, and whether growth of the transcript, which no
 * single screen shows, is among them.
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
