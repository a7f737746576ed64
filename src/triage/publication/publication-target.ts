import { createHash } from "node:crypto";
import type { CloseReason, Issue, TriageNotes } from "../../github/index.ts";
import { issueCategories } from "../outcome.ts";
import type { PublicationTarget } from "../policy/index.ts";

/**
 * Returns further fields of the marker: everything that a repair needs when the publication is interrupted after the comment
 * (policy 7), and a digest of the issue body, because the REST API does not report when a body was edited (T2).
 */
export function markerExtra(target: PublicationTarget, issue: Issue): Record<string, string> {
  return {
    ...(target.category === null ? {} : { category: target.category }),
    ...(target.close === null ? {} : { close: target.close }),
    ...(target.close === null || target.canonical === undefined ? {} : { of: String(target.canonical) }),
    ...(target.labels === "leave" ? { labels: "leave" } : {}),
    text: textDigest(issue.body),
  };
}

/**
 * Returns the target that the marker of our notes stores. The inverse of `markerExtra`. Parts whose fields are missing, as in
 * older markers, are left unchanged.
 */
export function publicationTarget(notes: TriageNotes): PublicationTarget {
  const { outcome, extra } = notes.marker;
  const canonical = /^[1-9]\d{0,9}$/.test(extra["of"] ?? "") ? { canonical: Number(extra["of"]) } : {};
  return {
    state: outcome,
    category: issueCategories.find((category) => category === extra["category"]) ?? null,
    close: closeReasonOf(extra["close"]),
    labels: extra["labels"] === "leave" ? "leave" : "set",
    ...canonical,
  };
}

/** A comment of ours, of which only the further fields of its marker are read. */
export interface MarkerExtra {
  marker: Pick<TriageNotes["marker"], "extra">;
}

/** Returns whether the issue body has changed since the notes were written; false when the notes have no digest. */
export function isBodyEdited(issue: Issue, notes: MarkerExtra): boolean {
  const digest = notes.marker.extra["text"];
  return digest !== undefined && digest !== textDigest(issue.body);
}

const closeReasons: readonly CloseReason[] = ["not_planned", "completed", "duplicate"];

/** Returns the close reason in a field of a marker, or null for any other text. */
export function closeReasonOf(field: string | undefined): CloseReason | null {
  return closeReasons.find((reason) => reason === field) ?? null;
}

/**
 * Returns a digest of 64 bits, which is enough because it only has to detect an edit. A change of line ends does not count as an
 * edit.
 */
function textDigest(text: string): string {
  const normalised = text.replaceAll("\r\n", "\n").trim();
  return createHash("sha256").update(normalised).digest("hex").slice(0, 16);
}
