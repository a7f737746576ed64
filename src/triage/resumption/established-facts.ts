import type { TriageNotes } from "../../github/index.ts";
import { listUnder } from "./listed-items.ts";
import { questionKey } from "./question-key.ts";

const MAX_FACTS = 40;

/**
 * Returns the facts that earlier notes established, from the newest notes to the oldest, each fact once. `history`: trusted
 * notes, the newest last.
 */
export function establishedFacts(history: readonly TriageNotes[]): string[] {
  const byKey = new Map<string, string>();
  for (const { marker } of history.toReversed()) {
    for (const fact of listUnder("Established", marker.body)) {
      const key = questionKey(fact) ?? fact;
      if (!byKey.has(key)) byKey.set(key, fact);
    }
  }
  return [...byKey.values()].slice(0, MAX_FACTS);
}
