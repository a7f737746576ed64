import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, OperationalError } from "agent-tty/kit";
import { parentIdentity } from "../../workspaces/index.ts";
import type { DemoErrorCode } from "../demo-error.ts";
import { type DemoOwner, writeOwner } from "./owner-file.ts";
import { temporaryName } from "./temporary-name.ts";

/** The directory of one demo: `<demo root>/<name>`. */
export interface DemoResidence extends AsyncDisposable {
  directory: string;
  /** AFK_TRIAGE_HOME of the demo's Triage Batch. Recordings stay here after the demo. */
  home: string;
  /** Holds everything that is not needed after the demo. */
  scratch: string;
  /** Removes what is no longer needed and marks the demo as finished. Its recordings are kept for a while. */
  finish(): Promise<void>;
}

export interface DemoResidenceRequest {
  demoRoot: string;
  /** A name that sorts by time, e.g. the run id. */
  name: string;
  clock: Clock;
}

/** The path of a demo's Coder workspaces, below its directory. */
export const RESIDENCE_WORKSPACES = join("home", "workspaces");

/**
 * Opens a residence. Disposing it before it is finished removes it. Rejects with DEMO_DIRECTORY_TAKEN when the name is in use.
 */
export async function openDemoResidence(request: DemoResidenceRequest): Promise<DemoResidence> {
  const { demoRoot, name, clock } = request;
  const parent = await parentIdentity();
  const startedAt = new Date(clock.nowMs()).toISOString();
  const owner: DemoOwner = {
    schema: "afk-triage/demo-owner@1",
    pid: process.pid,
    parent,
    startedAt,
    finishedAt: null,
  };
  const directory = join(demoRoot, name);
  await moveIn(directory, join(demoRoot, temporaryName("new", parent, name)), owner);
  const scratch = join(directory, "scratch");
  let isFinished = false;
  return {
    directory,
    home: join(directory, "home"),
    scratch,
    finish: async () => {
      await removeDirectory(scratch);
      await removeDirectory(join(directory, RESIDENCE_WORKSPACES));
      await writeOwner(directory, { ...owner, finishedAt: new Date(clock.nowMs()).toISOString() });
      isFinished = true;
    },
    [Symbol.asyncDispose]: async () => {
      if (!isFinished) await removeDirectory(directory);
    },
  };
}

/** Creates the directory together with its owner file, or not at all. */
async function moveIn(directory: string, unfinished: string, owner: DemoOwner): Promise<void> {
  await mkdir(join(unfinished, "home"), { recursive: true, mode: 0o700 });
  await mkdir(join(unfinished, "scratch"), { mode: 0o700 });
  await writeOwner(unfinished, owner);
  try {
    await rename(unfinished, directory);
  } catch (error) {
    await removeDirectory(unfinished);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    throw new OperationalError<DemoErrorCode>({
      code: "DEMO_DIRECTORY_TAKEN",
      message: `cannot use ${directory} for the demo: another demo uses it`,
      remedy: "Start the demo again; it will use another directory.",
      cause: error,
    });
  }
}

/** Removes a directory with its contents. A missing directory is not an error. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
