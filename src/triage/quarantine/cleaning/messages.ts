import type { CanaryHit } from "../secret-search.ts";
import type { ParentSecret } from "../parent-secrets.ts";
import type { CleaningWork } from "./session-files.ts";

/** The messages from the parent's thread to a cleaning thread. */
export type CleaningOrder =
  | {
      type: "work";
      directory: string;
      work: CleaningWork;
      /** The secrets that became known since the previous order. */
      secrets: readonly ParentSecret[];
    }
  | { type: "cancel" };

/** The only answer to each `work` order. */
export type CleaningAnswer =
  | { type: "done"; hit: CanaryHit | null }
  | { type: "cancelled" }
  /** `code`: the code of an error of the file system, or null. */
  | { type: "failed"; message: string; code: string | null };
