import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Runs `task` while it holds the lock `name`. */
export async function withLock(name, task) {
  const path = lockPath(name);
  acquire(name, path);
  try {
    return await task();
  } finally {
    unlinkSync(path);
  }
}

/** Two processes may take over the same old lock: the one whose mark is in the file afterwards holds it. */
function acquire(name, path) {
  const mark = randomBytes(4).readInt32BE();
  if (isLeftBehind(path)) unlinkSync(path);
  try {
    writeFileSync(path, `${mark}\n`, { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (markIn(path) !== mark) throw new Error(`${name} is locked`);
}

function markIn(path) {
  return Number(/\d+/.exec(readFileSync(path, "utf8"))?.[0]);
}

/** A lock from before this process was started belongs to an earlier run. */
function isLeftBehind(path) {
  const startedMs = Date.now() - process.uptime() * 1_000;
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? startedMs) < startedMs;
}

function lockPath(name) {
  const directory = join(homedir(), ".tidytext");
  mkdirSync(directory, { recursive: true });
  return join(directory, `${name}.lock`);
}
