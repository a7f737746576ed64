import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Clock, type Ids, messageOf, OperationalError } from "../kit/index.ts";
import type { HomeErrorCode } from "./home-error.ts";
import { manifestSchema, type SessionManifest } from "./manifest.ts";
import { ensurePrivateDirectory, writeFileAtomic } from "./private-files.ts";
import { sessionLiveness } from "./session-liveness.ts";

const SESSION_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export interface HomeOptions {
  directory: string;
  clock: Clock;
  ids: Ids;
}

/** A manifest that cannot be read is reported, never fatal and never hidden. */
export type ManifestReading =
  | { type: "read"; manifest: SessionManifest }
  | { type: "unreadable"; sessionId: string; reason: string };

/** Where Sessions live on disk: `sessions/<ulid>/{session.json, events.jsonl, output.bin, artifacts/}`. */
export interface Home {
  readonly directory: string;
  readonly clock: Clock;
  readonly ids: Ids;
  sessionDirectory(sessionId: string): string;
  createSessionDirectory(sessionId: string): Promise<string>;
  /** Rejects with SESSION_NOT_FOUND or SESSION_UNREADABLE. */
  readManifest(sessionId: string): Promise<SessionManifest>;
  /** Rejects with MANIFEST_NOT_WRITTEN. */
  writeManifest(manifest: SessionManifest): Promise<void>;
  /** Oldest first. */
  listManifests(): Promise<ManifestReading[]>;
}

export function defaultHomeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env["AGENT_TTY_HOME"];
  return chosen !== undefined && chosen !== "" ? chosen : join(homedir(), ".agent-tty");
}

/** Creates the home when it is missing. Rejects with HOME_REFUSED for a symlinked or foreign one (S17). */
export async function openHome(options: HomeOptions): Promise<Home> {
  await ensurePrivateDirectory(options.directory);
  await ensurePrivateDirectory(join(options.directory, "sessions"));
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
    await ensurePrivateDirectory(directory);
    await ensurePrivateDirectory(join(directory, "artifacts"));
    return directory;
  }

  async readManifest(sessionId: string): Promise<SessionManifest> {
    const path = join(this.sessionDirectory(sessionId), "session.json");
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notFound(sessionId, this.directory);
      throw unreadable(path, error);
    }
    try {
      return withHostLoss(manifestSchema.parse(JSON.parse(text)));
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  async writeManifest(manifest: SessionManifest): Promise<void> {
    const path = join(this.sessionDirectory(manifest.sessionId), "session.json");
    try {
      await writeFileAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`, this.ids.hex(4));
    } catch (error) {
      throw notWritten(path, error);
    }
  }

  async listManifests(): Promise<ManifestReading[]> {
    const names = await readdir(join(this.directory, "sessions"));
    const readings: ManifestReading[] = [];
    for (const sessionId of names.filter((name) => SESSION_ID.test(name)).toSorted()) {
      readings.push(
        await this.readManifest(sessionId).then(
          (manifest) => ({ type: "read" as const, manifest }),
          (error: unknown) => ({ type: "unreadable" as const, sessionId, reason: messageOf(error) }),
        ),
      );
    }
    return readings;
  }
}

/** An active Session whose host process is gone has failed, whatever its manifest last said. */
function withHostLoss(manifest: SessionManifest): SessionManifest {
  if (sessionLiveness(manifest) !== "host-lost") return manifest;
  return { ...manifest, status: "failed", failure: "the host process is gone" };
}

function notFound(sessionId: string, directory: string): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "SESSION_NOT_FOUND",
    message: `no Session ${JSON.stringify(sessionId)} in ${directory}`,
    remedy: "run `agent-tty list --all` for the Sessions of this home, or name another home with --home",
    details: { sessionId },
  });
}

function notWritten(path: string, cause: unknown): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "MANIFEST_NOT_WRITTEN",
    message: `cannot write ${path}: ${messageOf(cause)}`,
    remedy: "check that the home still exists, is writable and has space",
    details: { path },
    cause,
  });
}

function unreadable(path: string, cause: unknown): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "SESSION_UNREADABLE",
    message: `cannot read ${path}: ${messageOf(cause)}`,
    remedy: "the Event Log beside it may still be whole; restore the manifest or remove the directory",
    details: { path },
    cause,
  });
}
