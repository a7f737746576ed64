import type { RunRowDocument } from "../../api/index.ts";
import { words } from "./format.ts";

/**
 * Returns a phrase for why a run ended as it did; "" while it is in progress. `end.reason` says why it was chosen.
 */
export function explanationOf({ end, policy }: RunRowDocument): string {
  if (end === null) return "";
  if (end.error !== null) return end.error.message;
  if (policy.length > 0) return policy.map(words).join(", ");
  return end.status === "applied" ? "as proposed" : words(end.reason);
}
