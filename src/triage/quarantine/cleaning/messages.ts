import type { CanaryHit } from "../secret-search.ts";
import type { ParentSecret } from "../parent-secrets.ts";
import type { CleaningWork } from "./session-files.ts";

/** The messages from the parent's thread to a cleaning thread. */
export type CleaningOrder =
  | {
      type: "work";
      directory: string;
      work: CleaningWork;
      /** Those that became known since the order before. */
      secrets: readonly ParentSecret[];
    }
  | { type: "cancel" };

/** The one answer to each order of work. */
export type CleaningAnswer =
  | { type: "done"; hit: CanaryHit | null }
  | { type: "cancelled" }
  /** `code` of an error of the file system. */
  | { type: "failed"; message: string; code: string | null };
