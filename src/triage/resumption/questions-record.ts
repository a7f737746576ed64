import type { TriageNotes } from "../../github/index.ts";
import { questionKey } from "./question-key.ts";

/** The number of keys that fit into a marker's value. */
const MAX_KEYS = 20;
/** Keeps the place of a question that has no words. */
const WORDLESS = "none";

/**
 * The questions of a comment as a field of its marker: what is compared later is what was signed, whatever Markdown made
 * of the words. Nothing when nothing is asked.
 */
export function questionsRecord(questions: readonly string[]): Record<string, string> {
  const keys = questions.slice(0, MAX_KEYS).map((question) => questionKey(question) ?? WORDLESS);
  return keys.length === 0 ? {} : { asked: keys.join(",") };
}

/** The keys by place in the list of questions; null for notes that are older than this field. */
export function recordedKeys({ marker }: TriageNotes): (string | null)[] | null {
  const keys = marker.extra["asked"]?.split(",");
  return keys?.map((key) => (key === WORDLESS ? null : key)) ?? null;
}
