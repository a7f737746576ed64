import { type SessionStatus, STATUS_POLICY } from "../home/index.ts";

/** The facts that gc has about one directory of a home's Sessions. */
export interface SessionFacts {
  manifest: { type: "read"; status: SessionStatus } | { type: "missing" } | { type: "unreadable" };
  /** The state of the process that created or restarted the Session. `unknown`: there is no record of it. */
  host: "running" | "gone" | "unknown";
  /** Milliseconds since the last change. */
  ageMs: number;
}

export type KeptReason =
  /** The Session's status does not allow its collection (A22). */
  | "active"
  | "too-recent"
  /** Has no readable manifest, but its host is running. */
  | "host-running"
  /** Another gc or a restart has claimed it. */
  | "busy"
  | "removal-failed";

export type RemovedReason = "collectable" | "manifest-unreadable" | "creation-failed" | "removal-unfinished";

export type GcDecision =
  | { type: "remove"; reason: RemovedReason }
  | { type: "keep"; reason: Exclude<KeptReason, "busy" | "removal-failed"> };

/** A directory whose owner cannot be determined is kept this long. */
export const UNKNOWN_HOST_GRACE_MS = 60_000;

/**
 * Returns whether gc removes a directory, with the reason. It removes a Session whose status allows it (A22), and a Session
 * without a readable manifest if its host is gone. A directory whose owner is unknown is kept for `UNKNOWN_HOST_GRACE_MS`.
 */
export function planRemoval(facts: SessionFacts, olderThanMs: number): GcDecision {
  const { manifest, host, ageMs } = facts;
  if (manifest.type === "read") {
    if (!STATUS_POLICY[manifest.status].collectable) return { type: "keep", reason: "active" };
  } else {
    if (host === "running") return { type: "keep", reason: "host-running" };
    if (host === "unknown" && ageMs < UNKNOWN_HOST_GRACE_MS) return { type: "keep", reason: "too-recent" };
  }
  if (ageMs < olderThanMs) return { type: "keep", reason: "too-recent" };
  switch (manifest.type) {
    case "read":
      return { type: "remove", reason: "collectable" };
    case "missing":
      return { type: "remove", reason: "creation-failed" };
    case "unreadable":
      return { type: "remove", reason: "manifest-unreadable" };
    default:
      return manifest satisfies never;
  }
}
