import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Runs `task` while it holds the lock `name`. */
export async function withLock(name, task) {
  const path = lockPath(name);
  acquire(name, path);
  return await task();
}

function acquire(name, path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const holder = Number(readFileSync(path, "utf8"));
    if (!isAlive(holder)) unlinkSync(path);
    throw new Error(`${name} is locked by process ${holder}`, { cause: error });
  }
}

function lockPath(name) {
  const directory = join(homedir(), ".tidytext");
  mkdirSync(directory, { recursive: true });
  return join(directory, `${name}.lock`);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
