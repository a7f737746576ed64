import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Ids } from "../kit/index.ts";
import { PRIVATE_FILE_MODE } from "./private-files.ts";
import { type HostIdentity, isHostRunning, ownHostIdentity } from "./session-liveness.ts";

const OWNER_FILE = "owner.json";
const CLAIM = /^owner\.(\d+)\.(\d+|none)\.[0-9a-f]+\.claim$/;
const ownerSchema = z.object({ hostPid: z.int(), hostStartTicks: z.nullable(z.string()) });

/** The exclusive right to remove or restart a Session. */
export interface SessionClaim {
  /** Gives the right back and leaves the Session's owner as it was. */
  release(): Promise<void>;
  /** Gives the right back and makes this process the Session's owner. */
  handOver(): Promise<void>;
}

/** Says beside the manifest, and before there is one, which process hosts the Session. */
export async function writeOwner(directory: string): Promise<void> {
  const text = JSON.stringify(ownHostIdentity());
  await writeFile(join(directory, OWNER_FILE), text, { mode: PRIVATE_FILE_MODE });
}

/** Reads the owner, also while another process holds the claim. null when there is no owner file, or when it is torn. */
export async function readOwner(directory: string): Promise<HostIdentity | null> {
  try {
    const names = await readdir(directory);
    const name = names.find((found) => found === OWNER_FILE || CLAIM.test(found)) ?? OWNER_FILE;
    return ownerSchema.parse(JSON.parse(await readFile(join(directory, name), "utf8")));
  } catch {
    return null;
  }
}

/**
 * Takes the owner file away by renaming it, which succeeds for one process only. The new name is used once and says who
 * holds the claim, so the claim of a process that died can be taken over by the same means. `none`: there is no such file.
 */
export async function claimSession(directory: string, ids: Ids): Promise<SessionClaim | "busy" | "none"> {
  const names = await readdir(directory);
  const held = names.includes(OWNER_FILE) ? OWNER_FILE : names.find((name) => CLAIM.test(name));
  if (held === undefined) return "none";
  const holder = claimant(held);
  if (holder !== null && isHostRunning(holder)) return "busy";
  const { hostPid, hostStartTicks } = ownHostIdentity();
  const mine = join(directory, `owner.${hostPid}.${hostStartTicks ?? "none"}.${ids.hex(8)}.claim`);
  try {
    await rename(join(directory, held), mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "busy";
    throw error;
  }
  const release = (): Promise<void> => rename(mine, join(directory, OWNER_FILE));
  return {
    release,
    handOver: async () => {
      await writeFile(mine, JSON.stringify({ hostPid, hostStartTicks }), { mode: PRIVATE_FILE_MODE });
      await release();
    },
  };
}

function claimant(name: string): HostIdentity | null {
  const [, pid, ticks] = CLAIM.exec(name) ?? [];
  if (pid === undefined || ticks === undefined) return null;
  return { hostPid: Number(pid), hostStartTicks: ticks === "none" ? null : ticks };
}
