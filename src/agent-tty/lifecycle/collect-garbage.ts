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
import { openTrash } from "./trash.ts";

const TRASH_PREFIX = ".gone-";
const ULID_LENGTH = 26;
/** How many directories are handled before timers and signals may run. */
const BETWEEN_PAUSES = 32;

export interface GcOptions {
  /** Reports what would be removed and changes nothing. */
  isDryRun: boolean;
  /** Only Sessions whose last change is at least this many milliseconds ago. */
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
  /** `path`: the directory to remove, which no reader and no other gc uses any more. */
  | { type: "removed"; sessionId: string; reason: RemovedReason; path: string }
  | { type: "kept"; sessionId: string; reason: KeptReason; detail: string | null };

/**
 * Removes the Sessions of a home whose status allows it (A22). Each one is claimed, checked again under the claim, and renamed
 * before its files are removed, so that neither a restart nor another gc can work on it and no reader sees a part of it. Rejects
 * with the signal's reason if it is aborted between two Sessions.
 */
export async function collectGarbage(home: Home, options: GcOptions): Promise<GcResult> {
  const directory = join(home.directory, "sessions");
  const names = readdirSync(directory).toSorted();
  const outcomes: Outcome[] = [];
  // Makes the trash name unique: no other gc has this suffix, and no other Session has the same id.
  const collection = { home, directory, options, trashSuffix: home.ids.hex(4) };
  const started = options.isDryRun ? new Map<string, ProcessRow[]>() : processesBySession();
  const trash = openTrash();
  for (const [index, name] of names.entries()) {
    if (index % BETWEEN_PAUSES === 0) await setImmediate(undefined, { signal: options.signal });
    const outcome = collectOne(collection, name);
    if (outcome === null) continue;
    outcomes.push(outcome);
    if (outcome.type === "kept" || options.isDryRun) continue;
    await trash.put(outcome.path);
    // Kill the processes that a killed host left running when its Session is removed, but never this process.
    for (const row of started.get(outcome.sessionId) ?? [])
      if (row.pid !== process.pid) signalProcess(row, "SIGKILL");
  }
  return resultOf(outcomes, await trash.emptied());
}

/** `errors`: the directories that could not be removed. */
function resultOf(found: readonly Outcome[], errors: ReadonlyMap<string, unknown>): GcResult {
  const outcomes = found.map((outcome): Outcome => {
    if (outcome.type === "kept" || !errors.has(outcome.path)) return outcome;
    const detail = messageOf(errors.get(outcome.path));
    return { type: "kept", sessionId: outcome.sessionId, reason: "removal-failed", detail };
  });
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
    const sessionId = name.slice(TRASH_PREFIX.length).slice(0, ULID_LENGTH);
    return { type: "removed", sessionId, reason: "removal-unfinished", path };
  }
  if (name.startsWith(UNFINISHED_PREFIX)) {
    const sessionId = name.slice(UNFINISHED_PREFIX.length).slice(0, ULID_LENGTH);
    const ageMs = ageOf(home, path);
    if (ageMs === null) return null;
    if (ageMs < Math.max(UNKNOWN_HOST_GRACE_MS, options.olderThanMs)) {
      return { type: "kept", sessionId, reason: "too-recent", detail: null };
    }
    return { type: "removed", sessionId, reason: "creation-failed", path };
  }
  return isSessionId(name) ? collectSession(collection, path, name) : null;
}

function collectSession(collection: Collection, path: string, sessionId: string): Outcome | null {
  const { home, directory, options, trashSuffix } = collection;
  const facts = factsOf(home, path, null);
  if (facts === null) return null;
  const first = planRemoval(facts, options.olderThanMs);
  if (first.type === "keep") return { type: "kept", sessionId, reason: first.reason, detail: null };
  if (options.isDryRun) return { type: "removed", sessionId, reason: first.reason, path };
  const claim = claimSession(path, home.ids);
  if (claim === "busy") return { type: "kept", sessionId, reason: "busy", detail: null };
  // The Session may have been restarted before the claim; under the claim it cannot be.
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
  return { type: "removed", sessionId, reason: decision.reason, path: trash };
}

type FoundFacts = SessionFacts & { read: ReadManifest | null };

/**
 * Returns the facts about a Session directory, or null if the directory no longer exists. `earlier`: the manifest of the same
 * Session as it was read before.
 */
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

/**
 * Returns the milliseconds since the last change; null if the directory no longer exists: its creation was finished and it was
 * renamed, or another gc removed it.
 */
function ageOf(home: Home, path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A file time has fractions of a millisecond and can be up to one millisecond ahead of the clock.
  return stats === undefined ? null : Math.max(0, home.clock.nowMs() - stats.mtimeMs);
}
