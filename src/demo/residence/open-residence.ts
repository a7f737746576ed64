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
  /** For AFK_TRIAGE_HOME of the demo's Triage Batch: recordings stay here after the demo. */
  home: string;
  /** Everything that is worth nothing afterwards. */
  scratch: string;
  /** Removes what is worth nothing and marks the demo as finished: its recordings are kept for a while. */
  finish(): Promise<void>;
}

export interface DemoResidenceRequest {
  demoRoot: string;
  /** Sortable by time, e.g. the run id. */
  name: string;
  clock: Clock;
}

/** Where a demo keeps its Coder workspaces, below its directory. */
export const RESIDENCE_WORKSPACES = join("home", "workspaces");

/** Disposing a residence that is not finished removes it. Rejects with DEMO_DIRECTORY_TAKEN when the name is in use. */
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

/** The directory appears with its owner in it, or not at all. */
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
      message: `the demo was to use ${directory}, but another demo lives there`,
      remedy: "Start the demo again: the next one gets another directory.",
      cause: error,
    });
  }
}

/** Removes a directory with all that is in it; a missing one is no error. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
