import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  claimSession,
  type Home,
  isHostRunning,
  isSessionId,
  readManifestAgain,
  type ReadManifest,
  readOwner,
  UNFINISHED_PREFIX,
} from "../home/index.ts";
import { messageOf } from "../kit/index.ts";
import { type ProcessRow, signalProcess } from "../processes/index.ts";
import {
  type KeptReason,
  planRemoval,
  type RemovedReason,
  type SessionFacts,
  UNKNOWN_HOST_GRACE_MS,
} from "./gc-plan.ts";
import { processesBySession } from "./leftovers.ts";
import { removeTree } from "./remove-tree.ts";

const TRASH_PREFIX = ".gone-";
const ULID_LENGTH = 26;
/** How many directories are handled before timers and signals get their turn. */
const BETWEEN_PAUSES = 32;

export interface GcOptions {
  /** Says what would be removed and touches nothing. */
  isDryRun: boolean;
  /** Only Sessions whose last change is at least this long ago. */
  olderThanMs: number;
  signal: AbortSignal;
}

export interface GcResult {
  removed: readonly { sessionId: string; reason: RemovedReason }[];
  kept: readonly { sessionId: string; reason: KeptReason; detail: string | null }[];
}

interface Collection {
  home: Home;
  directory: string;
  options: GcOptions;
  trashSuffix: string;
}

type Outcome =
  | { type: "removed"; sessionId: string; reason: RemovedReason }
  | { type: "kept"; sessionId: string; reason: KeptReason; detail: string | null };

/**
 * A22: removes the Collectable Sessions of a home. Each is claimed, judged again under the claim, and moved out of sight
 * before its files go, so that neither a restart nor another gc can be at work on it and no reader sees half of it.
 * Rejects with the signal's reason when it is aborted between two Sessions.
 */
export async function collectGarbage(home: Home, options: GcOptions): Promise<GcResult> {
  const directory = join(home.directory, "sessions");
  const names = readdirSync(directory).toSorted();
  const outcomes: Outcome[] = [];
  // No other gc has this part of the name, and no two Sessions have the other.
  const collection = { home, directory, options, trashSuffix: home.ids.hex(4) };
  const started = options.isDryRun ? new Map<string, ProcessRow[]>() : processesBySession();
  for (const [index, name] of names.entries()) {
    if (index % BETWEEN_PAUSES === 0) await setImmediate(undefined, { signal: options.signal });
    const outcome = collectOne(collection, name);
    if (outcome === null) continue;
    outcomes.push(outcome);
    // Processes that a killed host left running are killed with its Session; this process never is.
    const rows = outcome.type === "removed" ? (started.get(outcome.sessionId) ?? []) : [];
    for (const row of rows) if (row.pid !== process.pid) signalProcess(row, "SIGKILL");
  }
  outcomes.sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
  return {
    removed: outcomes.flatMap((outcome) =>
      outcome.type === "removed" ? [{ sessionId: outcome.sessionId, reason: outcome.reason }] : [],
    ),
    kept: outcomes.flatMap((outcome) =>
      outcome.type === "kept"
        ? [{ sessionId: outcome.sessionId, reason: outcome.reason, detail: outcome.detail }]
        : [],
    ),
  };
}

function collectOne(collection: Collection, name: string): Outcome | null {
  const { home, directory, options } = collection;
  const path = join(directory, name);
  if (name.startsWith(TRASH_PREFIX)) {
    return remove(path, name.slice(TRASH_PREFIX.length).slice(0, ULID_LENGTH), "removal-unfinished", options);
  }
  if (name.startsWith(UNFINISHED_PREFIX)) {
    const sessionId = name.slice(UNFINISHED_PREFIX.length).slice(0, ULID_LENGTH);
    const ageMs = ageOf(home, path);
    if (ageMs === null) return null;
    if (ageMs < Math.max(UNKNOWN_HOST_GRACE_MS, options.olderThanMs)) {
      return { type: "kept", sessionId, reason: "too-recent", detail: null };
    }
    return remove(path, sessionId, "creation-failed", options);
  }
  return isSessionId(name) ? collectSession(collection, path, name) : null;
}

function collectSession(collection: Collection, path: string, sessionId: string): Outcome | null {
  const { home, directory, options, trashSuffix } = collection;
  const facts = factsOf(home, path, null);
  if (facts === null) return null;
  const first = planRemoval(facts, options.olderThanMs);
  if (first.type === "keep") return { type: "kept", sessionId, reason: first.reason, detail: null };
  if (options.isDryRun) return { type: "removed", sessionId, reason: first.reason };
  const claim = claimSession(path, home.ids);
  if (claim === "busy") return { type: "kept", sessionId, reason: "busy", detail: null };
  // A restart may have come in between; under the claim none can.
  const claimed = factsOf(home, path, facts.read);
  if (claimed === null) return null;
  const decision = planRemoval(claimed, options.olderThanMs);
  if (decision.type === "keep") {
    if (claim !== "none") claim.release();
    return { type: "kept", sessionId, reason: decision.reason, detail: null };
  }
  const trash = join(directory, `${TRASH_PREFIX}${sessionId}-${trashSuffix}`);
  try {
    renameSync(path, trash);
  } catch (error) {
    if (claim !== "none") claim.release();
    return { type: "kept", sessionId, reason: "removal-failed", detail: messageOf(error) };
  }
  return remove(trash, sessionId, decision.reason, options);
}

type FoundFacts = SessionFacts & { read: ReadManifest | null };

/** null when the directory is gone. `earlier`: what was read of the same Session before. */
function factsOf(home: Home, path: string, earlier: ReadManifest | null): FoundFacts | null {
  try {
    const read = readManifestAgain(join(path, "session.json"), earlier);
    if (read !== null) {
      const { status, updatedAt } = read.manifest;
      const ageMs = home.clock.nowMs() - Date.parse(updatedAt);
      return { manifest: { type: "read", status }, host: "unknown", ageMs, read };
    }
    return withoutManifest(home, path, "missing");
  } catch {
    return withoutManifest(home, path, "unreadable");
  }
}

function withoutManifest(home: Home, path: string, type: "missing" | "unreadable"): FoundFacts | null {
  const ageMs = ageOf(home, path);
  return ageMs === null ? null : { manifest: { type }, host: hostOf(path), ageMs, read: null };
}

function hostOf(path: string): SessionFacts["host"] {
  const owner = readOwner(path);
  if (owner === null) return "unknown";
  return isHostRunning(owner) ? "running" : "gone";
}

/** Milliseconds since the last change; null when it is gone: finished and renamed, or removed by another gc. */
function ageOf(home: Home, path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A file time has fractions of a millisecond, and can lie ahead of the clock by one.
  return stats === undefined ? null : Math.max(0, home.clock.nowMs() - stats.mtimeMs);
}

function remove(path: string, sessionId: string, reason: RemovedReason, options: GcOptions): Outcome {
  if (options.isDryRun) return { type: "removed", sessionId, reason };
  try {
    removeTree(path);
    return { type: "removed", sessionId, reason };
  } catch (error) {
    return { type: "kept", sessionId, reason: "removal-failed", detail: messageOf(error) };
  }
}
