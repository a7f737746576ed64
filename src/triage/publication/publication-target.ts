import { createHash } from "node:crypto";
import type { CloseReason, Issue, TriageNotes } from "../../github/index.ts";
import { issueCategories } from "../outcome.ts";
import type { PublicationTarget } from "../policy/index.ts";

/**
 * Further fields of the marker: all that a repair needs when the publication is cut off after the comment (policy 7),
 * and a digest of the issue body, because REST does not say when a body was edited (T2).
 */
export function markerExtra(target: PublicationTarget, issue: Issue): Record<string, string> {
  return {
    ...(target.category === null ? {} : { category: target.category }),
    ...(target.close === null ? {} : { close: target.close }),
    ...(target.labels === "leave" ? { labels: "leave" } : {}),
    text: textDigest(issue.body),
  };
}

/** The inverse of `markerExtra`. Fields an older marker lacks mean: leave that part alone. */
export function publicationTarget(notes: TriageNotes): PublicationTarget {
  const { outcome, extra } = notes.marker;
  return {
    state: outcome,
    category: issueCategories.find((category) => category === extra["category"]) ?? null,
    close: closeReasonOf(extra["close"]),
    labels: extra["labels"] === "leave" ? "leave" : "set",
  };
}

/** Whether the issue body is another one than when the notes were written; false when the notes do not say. */
export function isBodyEdited(issue: Issue, notes: TriageNotes): boolean {
  const digest = notes.marker.extra["text"];
  return digest !== undefined && digest !== textDigest(issue.body);
}

const closeReasons: readonly CloseReason[] = ["not_planned", "completed", "duplicate"];

/** Reads the reason in a field of a marker; null for any other text. */
export function closeReasonOf(field: string | undefined): CloseReason | null {
  return closeReasons.find((reason) => reason === field) ?? null;
}

/** 64 bits are plenty: the digest only has to notice an edit. Line ends do not count as one. */
function textDigest(text: string): string {
  const normalised = text.replaceAll("\r\n", "\n").trim();
  return createHash("sha256").update(normalised).digest("hex").slice(0, 16);
}
