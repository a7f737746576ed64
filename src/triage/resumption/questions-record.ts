import type { TriageNotes } from "../../github/index.ts";
import { questionKey } from "./question-key.ts";

/** The number of keys that fit into a marker's value. */
const MAX_KEYS = 20;
/** The placeholder for a question without letters or digits. */
const WORDLESS = "none";

/**
 * Returns the keys of a comment's questions as a field of its marker. Later comparisons use the signed keys, so Markdown's
 * changes to the text do not matter. Empty when no question is asked.
 */
export function questionsRecord(questions: readonly string[]): Record<string, string> {
  const keys = questions.slice(0, MAX_KEYS).map((question) => questionKey(question) ?? WORDLESS);
  return keys.length === 0 ? {} : { asked: keys.join(",") };
}

/** Returns the keys in the order of the questions; null for notes that are older than this field. */
export function recordedKeys({ marker }: TriageNotes): (string | null)[] | null {
  const keys = marker.extra["asked"]?.split(",");
  return keys?.map((key) => (key === WORDLESS ? null : key)) ?? null;
}
