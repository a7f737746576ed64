import { type Home, type SessionManifest, STATUS_POLICY } from "../home/index.ts";
import { notCommandable } from "../host/index.ts";
import { OperationalError } from "../kit/index.ts";
import { connectHost, type HostConnection } from "../protocol/index.ts";

/**
 * Resolves with the result of `work`, which gets a connection to the host of one Session that accepts commands (A13). Rejects
 * with SESSION_NOT_FOUND, SESSION_NOT_RUNNING, SESSION_ALREADY_DESTROYED, HOST_UNREACHABLE, or as `work` does.
 */
export async function withCommandTarget<Result>(
  home: Home,
  sessionId: string,
  work: (host: HostConnection) => Promise<Result>,
): Promise<Result> {
  requireCommandable(await home.readManifest(sessionId));
  try {
    await using host = await connect(home, sessionId);
    return await work(host);
  } catch (error) {
    await requireReachable(home, sessionId, error);
    throw error;
  }
}

/**
 * Rejects with SESSION_NOT_RUNNING or SESSION_ALREADY_DESTROYED if `error` says that the host is unreachable and the Session no
 * longer accepts commands. The host of a Session that has just exited disappears, and these codes are more exact than
 * HOST_UNREACHABLE.
 */
export async function requireReachable(home: Home, sessionId: string, error: unknown): Promise<void> {
  if (isUnreachable(error)) requireCommandable(await home.readManifest(sessionId));
}

/**
 * Returns the live host's answer, or null if the Session Status says that no live host answers (A20), or if the host accepts no
 * calls.
 */
export async function askLiveHost<Result>(
  home: Home,
  sessionId: string,
  work: (host: HostConnection) => Promise<Result>,
): Promise<Result | null> {
  const { status } = await home.readManifest(sessionId);
  return STATUS_POLICY[status].liveHostEligible ? askHost(home, sessionId, work) : null;
}

/** Calls the host, whatever the Session Status is. Returns null if the host accepts no calls. */
export async function askHost<Result>(
  home: Home,
  sessionId: string,
  work: (host: HostConnection) => Promise<Result>,
): Promise<Result | null> {
  try {
    await using host = await connect(home, sessionId);
    return await work(host);
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "HOST_UNREACHABLE";
}

function requireCommandable({ sessionId, status, failure }: SessionManifest): void {
  if (!STATUS_POLICY[status].commandable) throw notCommandable(sessionId, status, failure);
}

function connect(home: Home, sessionId: string): Promise<HostConnection> {
  return connectHost({ sessionId, directory: home.sessionDirectory(sessionId) }, home.clock);
}
