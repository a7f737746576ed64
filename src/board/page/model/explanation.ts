import type { RunRowDocument } from "../../api/index.ts";
import { words } from "./format.ts";

/**
 * Returns a phrase that explains why a run ended as it did; "" while it is in progress. Without an error or a policy rule, it is
 * based on `end.reason`.
 */
export function explanationOf({ end, policy }: RunRowDocument): string {
  if (end === null) return "";
  if (end.error !== null) return end.error.message;
  if (policy.length > 0) return policy.map(words).join(", ");
  return end.status === "applied" ? "as proposed" : words(end.reason);
}
