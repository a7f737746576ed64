import { join } from "node:path";
import { type Home, openHome } from "agent-tty";
import { type Clock, type Ids, makeDirectory, messageOf, OperationalError } from "agent-tty/kit";
import {
  type CheckpointLibrary,
  openCheckpoints,
  openReproductionLibrary,
  type ReproductionLibrary,
} from "../triage/index.ts";
import { type DuplicateIndexes, openDuplicateIndexes } from "../duplicates/index.ts";
import { openStore, type Store } from "../store/index.ts";
import {
  checkpointsDirectory,
  duplicatesDirectory,
  reproductionsDirectory,
  runsDirectory as runsDirectoryOf,
  storePath,
} from "./home-paths.ts";
import type { HomeErrorCode } from "./home-error.ts";
import { refuseForeignDirectories } from "./foreign-directories.ts";

/** `<home>`: the store, recordings by batch, Sessions' Event Logs, and the local provider's Coder workspaces. */
export interface ProgramHome extends Disposable {
  directory: string;
  runsDirectory: string;
  workspacesDirectory: string;
  reproductions: ReproductionLibrary;
  checkpoints: CheckpointLibrary;
  sessions: Home;
  store: Store;
  duplicates: DuplicateIndexes;
}

/**
 * Opens the home, which is private to the user. Fleet workers on several machines share it on one volume, and each keeps its
 * databases, Sessions and sockets in a `workerDirectory` on a disk of its own, because SQLite needs one machine. Fails with
 * HOME_UNWRITABLE, HOME_UNSAFE, or the codes of the store and the engine.
 */
export async function openProgramHome(
  directory: string,
  ports: { clock: Clock; ids: Ids },
  workerDirectory = directory,
): Promise<ProgramHome> {
  const { runsDirectory } = await openHomeDirectories(directory, ports);
  const { sessions } = await openHomeDirectories(workerDirectory, ports);
  const store = await openStore({ path: storePath(workerDirectory), clock: ports.clock });
  const duplicates = openDuplicateIndexes(duplicatesDirectory(workerDirectory), ports.clock);
  return {
    directory: workerDirectory,
    runsDirectory,
    workspacesDirectory: join(directory, "workspaces"),
    reproductions: openReproductionLibrary(reproductionsDirectory(directory), ports.ids),
    checkpoints: openCheckpoints(checkpointsDirectory(directory), ports.ids),
    sessions,
    store,
    duplicates,
    [Symbol.dispose]: () => {
      duplicates[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}

/** Opens everything except the store. */
export async function openHomeDirectories(
  directory: string,
  ports: { clock: Clock; ids: Ids },
): Promise<Pick<ProgramHome, "runsDirectory" | "sessions">> {
  await makeHome(directory);
  const runsDirectory = runsDirectoryOf(directory);
  await orUnwritable(directory, makeDirectory(runsDirectory, 0o700));
  return { runsDirectory, sessions: await openHome({ directory: join(directory, "agent-tty"), ...ports }) };
}

/** Creates the home. Fails with HOME_UNWRITABLE or HOME_UNSAFE. */
export async function makeHome(directory: string): Promise<void> {
  await orUnwritable(directory, makeDirectory(directory, 0o700));
  await orUnwritable(directory, refuseForeignDirectories(directory));
}

async function orUnwritable(directory: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    throw new OperationalError<HomeErrorCode>({
      code: "HOME_UNWRITABLE",
      message: `create the home directory ${directory}: ${messageOf(error)}`,
      remedy: "Choose a directory that you can write to with --home or AFK_TRIAGE_HOME.",
      cause: error,
    });
  }
}
