import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Ids } from "../kit/index.ts";
import { PRIVATE_FILE_MODE } from "./private-files.ts";
import { type HostIdentity, isHostRunning, ownHostIdentity } from "./session-liveness.ts";

const OWNER_FILE = "owner.json";
const CLAIM = /^owner\.(\d+)\.(\d+|none)\.[0-9a-f]+\.claim$/;
const ownerSchema = z.object({ hostPid: z.int(), hostStartTicks: z.nullable(z.string()) });

/** The exclusive right to remove or restart a Session. Both methods throw the file system's error when they fail. */
export interface SessionClaim {
  /** Returns the right and leaves the Session's owner unchanged. */
  release(): void;
  /** Returns the right and makes this process the Session's owner. */
  handOver(): void;
}

/** Writes which process hosts the Session, in a file beside the manifest. The file exists before the manifest does. */
export function writeOwner(directory: string): void {
  const text = JSON.stringify(ownHostIdentity());
  writeFileSync(join(directory, OWNER_FILE), text, { mode: PRIVATE_FILE_MODE });
}

/** Returns the owner, even while another process holds the claim, or null if the owner file is missing or incomplete. */
export function readOwner(directory: string): HostIdentity | null {
  try {
    const names = readdirSync(directory);
    const name = names.find((found) => found === OWNER_FILE || CLAIM.test(found)) ?? OWNER_FILE;
    return ownerSchema.parse(JSON.parse(readFileSync(join(directory, name), "utf8")));
  } catch {
    return null;
  }
}

/**
 * Claims a Session. Returns `none` if there is no owner file, and `busy` if another process holds the claim or has removed the
 * Session. The claim renames the owner file, which succeeds for one process only. Each new name is unique and contains the
 * holder's identity, so that the claim of a dead process can be taken over in the same way. Synchronous, because two system calls
 * on a small directory take less time than one trip through the thread pool.
 */
export function claimSession(directory: string, ids: Ids): SessionClaim | "busy" | "none" {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "busy";
    throw error;
  }
  const held = names.includes(OWNER_FILE) ? OWNER_FILE : names.find((name) => CLAIM.test(name));
  if (held === undefined) return "none";
  const holder = claimant(held);
  if (holder !== null && isHostRunning(holder)) return "busy";
  const { hostPid, hostStartTicks } = ownHostIdentity();
  const mine = join(directory, `owner.${hostPid}.${hostStartTicks ?? "none"}.${ids.hex(8)}.claim`);
  try {
    renameSync(join(directory, held), mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "busy";
    throw error;
  }
  const release = (): void => renameSync(mine, join(directory, OWNER_FILE));
  return {
    release,
    handOver: () => {
      writeFileSync(mine, JSON.stringify({ hostPid, hostStartTicks }), { mode: PRIVATE_FILE_MODE });
      release();
    },
  };
}

function claimant(name: string): HostIdentity | null {
  const [, pid, ticks] = CLAIM.exec(name) ?? [];
  if (pid === undefined || ticks === undefined) return null;
  return { hostPid: Number(pid), hostStartTicks: ticks === "none" ? null : ticks };
}
