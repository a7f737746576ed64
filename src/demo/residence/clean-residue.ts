import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Ids } from "agent-tty/kit";
import {
  createLocalProvider,
  parentIdentity,
  parentState,
  workspaceNamePrefixes,
} from "../../workspaces/index.ts";
import { DEMO_REPOSITORY } from "../github/index.ts";
import { RESIDENCE_WORKSPACES, removeDirectory } from "./open-residence.ts";
import { readOwner } from "./owner-file.ts";
import { type DemoFact, planCleaning } from "./plan-cleaning.ts";
import { temporaryName, temporaryOwner } from "./temporary-name.ts";

export interface CleanedResidue {
  /** Names of the removed directories. */
  removed: string[];
  /** Demos whose Coder workspaces could not be destroyed. The next demo tries again. */
  stranded: string[];
}

/**
 * Removes what killed demos have left behind, their processes first, and the recordings of all finished demos except the latest
 * ones. A running demo is left alone. Rejects only with the signal's reason.
 */
export async function cleanDemoResidue(
  request: { demoRoot: string; clock: Clock; ids: Ids },
  signal: AbortSignal,
): Promise<CleanedResidue> {
  const { demoRoot } = request;
  const parent = await parentIdentity();
  const cleaned: CleanedResidue = { removed: [], stranded: [] };
  for (const name of planCleaning(await readFacts(demoRoot))) {
    signal.throwIfAborted();
    const root = join(demoRoot, name, RESIDENCE_WORKSPACES);
    const isFree = await destroyWorkspaces({ ...request, root, parent }, signal);
    if (isFree) await removeEntry(demoRoot, name, parent);
    (isFree ? cleaned.removed : cleaned.stranded).push(name);
  }
  return cleaned;
}

async function readFacts(demoRoot: string): Promise<DemoFact[]> {
  const entries = await readdir(demoRoot, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => ({ name, state: await demoState(demoRoot, name) })),
  );
}

async function demoState(demoRoot: string, name: string): Promise<DemoFact["state"]> {
  const owner = await readOwner(join(demoRoot, name));
  const worker = temporaryOwner(name) ?? owner?.parent;
  if (worker === undefined) return "unknown";
  if (temporaryOwner(name) === null && owner?.finishedAt != null) return "finished";
  const state = await parentState(worker);
  switch (state) {
    case "alive":
      return "running";
    case "dead":
      return "abandoned";
    case "unknown":
      return "unknown";
  }
}

/**
 * Destroys all Coder workspaces of a dead demo, including the one that stands in for another parent's, because they belong to the
 * demo.
 */
async function destroyWorkspaces(
  request: { root: string; parent: string; clock: Clock; ids: Ids },
  signal: AbortSignal,
): Promise<boolean> {
  const provider = createLocalProvider(request);
  let isFree = true;
  for (const prefix of workspaceNamePrefixes({ repo: DEMO_REPOSITORY, prefix: null })) {
    for (const { id, name } of await provider.list(prefix, signal)) {
      const result = await provider.destroy({ id, name }, signal);
      signal.throwIfAborted();
      if (result.type === "stranded") isFree = false;
    }
  }
  return isFree;
}

/**
 * Removes an entry of the demo root. The directory is renamed first, because a half-removed directory must not look like a demo.
 * The process that renames it also removes it.
 */
async function removeEntry(demoRoot: string, name: string, parent: string): Promise<void> {
  const path = join(demoRoot, name);
  if (temporaryOwner(name) !== null) {
    await removeDirectory(path);
    return;
  }
  const retired = join(demoRoot, temporaryName("old", parent, name));
  try {
    await rename(path, retired);
  } catch (error) {
    // Another demo that started at the same time has already renamed it.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await removeDirectory(retired);
}
