import { mkdirSync, renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Clock, type Ids, messageOf } from "../kit/index.ts";
import { notFound, notWritten } from "./home-error.ts";
import type { SessionManifest } from "./manifest.ts";
import { readManifestFile, writeManifestFile } from "./manifest-file.ts";
import { ensurePrivateDirectory, PRIVATE_DIRECTORY_MODE } from "./private-files.ts";
import { type HostIdentity, ownHostIdentity } from "./session-liveness.ts";
import { writeOwner } from "./session-owner.ts";

/**
 * Prefix of a Session's directory while it is created. It is renamed when its owner file exists, so that every Session has an
 * owner from the start.
 */
export const UNFINISHED_PREFIX = ".new-";

/** How many manifests are read before other work of this process may run. */
const READ_AT_ONCE = 256;

const SESSION_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export interface HomeOptions {
  directory: string;
  clock: Clock;
  ids: Ids;
  /** The user that everything has to belong to; default: this process's user. */
  userId?: number;
}

/** A manifest that cannot be read is reported. It neither fails the listing nor is hidden. */
export type ManifestReading =
  | { type: "read"; manifest: SessionManifest }
  | { type: "unreadable"; sessionId: string; reason: string };

/** Where Sessions live on disk: `sessions/<ulid>/{session.json, events.jsonl, output.bin, artifacts/}`. */
export interface Home {
  readonly directory: string;
  readonly clock: Clock;
  readonly ids: Ids;
  sessionDirectory(sessionId: string): string;
  /** Creates the directory. It already contains its owner file when it appears under its name. */
  createSessionDirectory(sessionId: string): Promise<string>;
  /** Rejects with SESSION_NOT_FOUND or SESSION_UNREADABLE. */
  readManifest(sessionId: string): Promise<SessionManifest>;
  /** Rejects with MANIFEST_NOT_WRITTEN. */
  writeManifest(manifest: SessionManifest): Promise<void>;
  /** Oldest first. */
  listManifests(): Promise<ManifestReading[]>;
}

/**
 * Returns AGENT_TTY_HOME if it is set, else `~/.agent-tty`.
 * @example
 * defaultHomeDirectory({ AGENT_TTY_HOME: "/srv/sessions" }) // => "/srv/sessions"
 */
export function defaultHomeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env["AGENT_TTY_HOME"];
  return chosen !== undefined && chosen !== "" ? chosen : join(homedir(), ".agent-tty");
}

/**
 * Opens a home and creates its directories if they are missing. Rejects with HOME_REFUSED if the home is a symbolic link or
 * belongs to another user, because a home is private to its user (S17).
 */
export async function openHome(options: HomeOptions): Promise<Home> {
  await ensurePrivateDirectory(options.directory, options.userId);
  await ensurePrivateDirectory(join(options.directory, "sessions"), options.userId);
  return new DirectoryHome(options);
}

class DirectoryHome implements Home {
  readonly directory: string;
  readonly clock: Clock;
  readonly ids: Ids;

  constructor(options: HomeOptions) {
    this.directory = options.directory;
    this.clock = options.clock;
    this.ids = options.ids;
  }

  sessionDirectory(sessionId: string): string {
    if (!SESSION_ID.test(sessionId)) throw notFound(sessionId, this.directory);
    return join(this.directory, "sessions", sessionId);
  }

  async createSessionDirectory(sessionId: string): Promise<string> {
    const directory = this.sessionDirectory(sessionId);
    const unfinished = join(this.directory, "sessions", unfinishedName(sessionId));
    mkdirSync(unfinished, { mode: PRIVATE_DIRECTORY_MODE });
    mkdirSync(join(unfinished, "artifacts"), { mode: PRIVATE_DIRECTORY_MODE });
    writeOwner(unfinished);
    renameSync(unfinished, directory);
    return directory;
  }

  async readManifest(sessionId: string): Promise<SessionManifest> {
    const manifest = readManifestFile(join(this.sessionDirectory(sessionId), "session.json"));
    if (manifest === null) throw notFound(sessionId, this.directory);
    return manifest;
  }

  async writeManifest(manifest: SessionManifest): Promise<void> {
    const path = join(this.sessionDirectory(manifest.sessionId), "session.json");
    try {
      await writeManifestFile(path, manifest, this.ids.hex(4));
    } catch (error) {
      throw notWritten(path, error);
    }
  }

  async listManifests(): Promise<ManifestReading[]> {
    const names = await readdir(join(this.directory, "sessions"));
    const readings: ManifestReading[] = [];
    for (const [index, sessionId] of names.filter(isSessionId).toSorted().entries()) {
      if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await nextTurn();
      readings.push(readingOf(this.directory, sessionId));
    }
    return readings;
  }
}

/**
 * Returns the name of an unfinished directory. It contains the creator's identity, because a creator that is killed before it
 * writes the owner file leaves no other trace.
 */
function unfinishedName(sessionId: string): string {
  const { hostPid, hostStartTicks } = ownHostIdentity();
  return `${UNFINISHED_PREFIX}${sessionId}-${hostPid}-${hostStartTicks ?? "none"}`;
}

/** Returns the process that created an unfinished directory, or null if the name has another form. */
export function makerOfUnfinished(name: string): HostIdentity | null {
  if (!name.startsWith(UNFINISHED_PREFIX)) return null;
  const [, pid, ticks] = /-(\d+)-(\d+|none)$/.exec(name) ?? [];
  if (pid === undefined || ticks === undefined) return null;
  return { hostPid: Number(pid), hostStartTicks: ticks === "none" ? null : ticks };
}

/** Returns whether the name is a ULID, the only form of a Session id. */
export function isSessionId(name: string): boolean {
  return SESSION_ID.test(name);
}

function readingOf(directory: string, sessionId: string): ManifestReading {
  const path = join(directory, "sessions", sessionId, "session.json");
  try {
    const manifest = readManifestFile(path);
    if (manifest !== null) return { type: "read", manifest };
    return { type: "unreadable", sessionId, reason: `there is no ${path}` };
  } catch (error) {
    return { type: "unreadable", sessionId, reason: messageOf(error) };
  }
}
