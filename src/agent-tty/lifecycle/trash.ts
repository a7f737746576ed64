import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { removeTree } from "./remove-tree.ts";

/** How many directories one `rm` removes. Fewer than these are removed sooner in this process. */
const BATCH = 128;
/** How many `rm` run at once: more do not make the file system faster. */
const AT_ONCE = 2;

export interface Trash {
  /** Has a directory removed, at once or later. */
  put(path: string): Promise<void>;
  /** Resolves when all directories were tried, with the error for each one that is still there. */
  emptied(): Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Opens a trash whose directories are removed by `rm` processes while the caller goes on, so that the file system, which takes
 * most of the time, works beside the caller. Directories that `rm` does not remove are removed in this process, which knows why
 * it cannot.
 */
export function openTrash(): Trash {
  const handedOver: string[] = [];
  const running: Promise<void>[] = [];
  let waiting: string[] = [];
  return {
    put: async (path) => {
      waiting.push(path);
      if (waiting.length < BATCH) return;
      if (running.length === AT_ONCE) await running.shift();
      running.push(removeByRm(waiting));
      handedOver.push(...waiting);
      waiting = [];
    },
    emptied: async () => {
      const errors = new Map<string, unknown>();
      const remove = (path: string): void => {
        try {
          removeTree(path);
        } catch (error) {
          errors.set(path, error);
        }
      };
      waiting.forEach(remove);
      await Promise.all(running);
      handedOver.filter((path) => existsSync(path)).forEach(remove);
      return errors;
    },
  };
}

/** Resolves when `rm` has ended, however it ended; also if the system has no `rm`. */
async function removeByRm(paths: readonly string[]): Promise<void> {
  const rm = spawn("rm", ["-rf", "--", ...paths], { stdio: "ignore" });
  await once(rm, "exit").catch(() => undefined);
}
