import { mkdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Runs `task` while it holds the lock `name`. */
export async function withLock(name, task) {
  acquire(name, lockPath(name));
  return await task();
}

function acquire(name, path) {
  try {
    writeFileSync(path, "", { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isLeftBehind(path)) unlinkSync(path);
    throw new Error(`${name} is locked`, { cause: error });
  }
}

/** A lock from before this process was started belongs to an earlier run. */
function isLeftBehind(path) {
  const startedMs = Date.now() - process.uptime() * 1_000;
  return statSync(path).mtimeMs < startedMs;
}

function lockPath(name) {
  const directory = join(homedir(), ".tidytext");
  mkdirSync(directory, { recursive: true });
  return join(directory, `${name}.lock`);
}
