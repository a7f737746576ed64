import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BUNDLES } from "./bundle-worker.ts";

const STOP_PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;
const MARKER = "afk-fleet-";

/**
 * Prepares a script that starts PostgreSQL servers and fleet workers: marks its temporary directories and processes, removes the
 * leftovers of dead scripts, and ends everything that it started on SIGTERM, SIGINT and SIGHUP. Linux only, like the servers.
 */
export function beginFleetScript(): void {
  const run = (process.env["AFK_TEST_RUN"] ??= `${MARKER}${process.pid}`);
  for (const pid of scriptsWithTraces()) if (!isAlive(pid)) removeTraces(pid, `${MARKER}${pid}`);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => {
      removeTraces(process.pid, run);
      process.exit(128 + constants.signals[signal]);
    });
}

/** Returns the process ids in the names of socket directories and temporary directories. */
function scriptsWithTraces(): Set<number> {
  const found = readdirSync(tmpdir()).flatMap((name) => /^(?:pg|afk-fleet)-(\d+)-/.exec(name)?.[1] ?? []);
  return new Set(found.map(Number));
}

/** Removes the leftovers of a script. It blocks the thread while it waits, so that no other code of the script runs. */
function removeTraces(pid: number, run: string): void {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(`pg-${pid}-`))) {
    const sockets = join(tmpdir(), name);
    const server = serverOf(sockets);
    if (server !== null) {
      // SIGQUIT requests an immediate shutdown of the postmaster.
      end(server.pid, "SIGQUIT");
      rmSync(dirname(server.data), { recursive: true, force: true });
    }
    rmSync(sockets, { recursive: true, force: true });
  }
  for (const worker of processesOf(run)) end(worker, "SIGKILL");
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(`${run}-`)))
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  for (const name of existsSync(BUNDLES) ? readdirSync(BUNDLES) : [])
    if (name.startsWith(`${pid}-`)) rmSync(join(BUNDLES, name), { force: true });
}

/**
 * Returns the server that listens in the directory, according to its lock file; null if there is none, or if the process id now
 * belongs to another process.
 */
function serverOf(sockets: string): { pid: number; data: string } | null {
  const text = read(join(sockets, ".s.PGSQL.5432.lock"));
  const [pid = "", data = ""] = text.split("\n");
  const isServer = data.startsWith(`${tmpdir()}/`) && read(`/proc/${pid}/cmdline`).includes(data);
  return isServer ? { pid: Number(pid), data } : null;
}

function processesOf(run: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split("\0").includes(`AFK_TEST_RUN=${run}`));
}

function end(pid: number, signal: NodeJS.Signals): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  try {
    process.kill(pid, signal);
    for (let waitedMs = 0; isAlive(pid) && waitedMs < STOP_PATIENCE_MS; waitedMs += LOOK_EVERY_MS)
      Atomics.wait(pause, 0, 0, LOOK_EVERY_MS);
  } catch {
    // The process has already ended.
  }
}

/** Returns whether the process is still running; a zombie is not. */
function isAlive(pid: number): boolean {
  const text = read(`/proc/${pid}/stat`);
  return text !== "" && !text.slice(text.lastIndexOf(")") + 2).startsWith("Z");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
