import type { RunRowDocument } from "../../api/index.ts";
import { words } from "./format.ts";

/** Why a run ended as it did, in a phrase; "" while it is under way. Why it was chosen is another question: `end.reason`. */
export function explanationOf({ end, policy }: RunRowDocument): string {
  if (end === null) return "";
  if (end.error !== null) return end.error.message;
  if (policy.length > 0) return policy.map(words).join(", ");
  return end.status === "applied" ? "as proposed" : words(end.reason);
}
