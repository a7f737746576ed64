import { access, constants, statfs, writeFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Home, type HomeRegistry, ownUserId, PRIVATE_FILE_MODE } from "../home/index.ts";
import { type Clock, countOf, messageOf, raceSignal, startDeadline } from "../kit/index.ts";
import type { PtyExit, SpawnPty } from "../pty/index.ts";
import { leftovers } from "./leftovers.ts";

const MIN_NODE = [20, 19] as const;
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const PTY_PATIENCE_MS = 5_000;

export type DoctorCheck = { name: string } & (
  | { status: "ok"; detail: string }
  | { status: "failed"; detail: string; remedy: string }
);

export interface DoctorPorts {
  /** The opened home, or why it could not be opened. */
  home: { type: "opened"; home: Home } | { type: "refused"; reason: string; remedy: string };
  clock: Clock;
  nodeVersion: string;
  registry: HomeRegistry;
  spawn: SpawnPty;
  /** Returns the free bytes for this user on the file system of the directory. */
  freeBytes: (directory: string) => Promise<number>;
}

/** Tests everything that a Session needs. Each failure has a remedy. */
export async function examineInstallation(ports: DoctorPorts): Promise<DoctorCheck[]> {
  const checks = [checkNode(ports.nodeVersion), await checkPty(ports)];
  if (ports.home.type === "refused") {
    return [...checks, failed("home", ports.home.reason, ports.home.remedy)];
  }
  const { home } = ports.home;
  return [
    ...checks,
    await checkHome(home),
    await checkRegistry(ports.registry, home),
    await checkDisk(home, ports.freeBytes),
    await checkLeftovers(home, ports.registry),
  ];
}

/**
 * Returns the bytes that this user may still write on the file system of a directory. Rejects with the error of statfs(2).
 */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const wanted = MIN_NODE.join(".");
  return isEnough
    ? ok("node", version)
    : failed("node", `${version} is older than ${wanted}`, `install Node ${wanted} or later`);
}

/** Loads the addon and runs a program on a pseudo-terminal. */
async function checkPty({ spawn, clock }: DoctorPorts): Promise<DoctorCheck> {
  const remedy = "reinstall with `npm ci` for this platform; check /dev/ptmx and /proc/sys/kernel/pty/max";
  try {
    using deadline = startDeadline(clock, "a program on a pseudo-terminal", PTY_PATIENCE_MS);
    const exit = await raceSignal(runTrue(spawn), deadline.signal);
    return exit.type === "code" && exit.code === 0
      ? ok("pty", "a program ran on a pseudo-terminal")
      : failed("pty", `a program on a pseudo-terminal ended with ${JSON.stringify(exit)}`, remedy);
  } catch (error) {
    return failed("pty", messageOf(error), remedy);
  }
}

function runTrue(spawn: SpawnPty): Promise<PtyExit> {
  return new Promise((resolve) => {
    const spec = { command: ["/bin/sh", "-c", "exit 0"], cwd: "/", env: {}, cols: 80, rows: 24 } as const;
    spawn(spec, { output: () => undefined, exit: resolve });
  });
}

/** Tests only writing: opening the home has already ensured that it is private. */
async function checkHome(home: Home): Promise<DoctorCheck> {
  const probe = join(home.directory, `.doctor-${home.ids.hex(4)}`);
  try {
    await writeFile(probe, "", { mode: PRIVATE_FILE_MODE, flag: "wx" });
    await rm(probe);
    await access(join(home.directory, "sessions"), constants.W_OK);
    return ok("home", `${home.directory} is private and writable for user ${ownUserId()}`);
  } catch (error) {
    const remedy = "make it writable, or choose another home with --home or AGENT_TTY_HOME";
    return failed("home", `cannot write in ${home.directory}: ${messageOf(error)}`, remedy);
  }
}

async function checkRegistry(registry: HomeRegistry, home: Home): Promise<DoctorCheck> {
  try {
    await registry.remember(home.directory);
    return ok("home-registry", `${countOf((await registry.list()).length, "home")} known`);
  } catch (error) {
    const remedy = "make ~/.agent-tty a directory of your own, or set HOME to one that you own";
    return failed("home-registry", `the list of homes cannot be written: ${messageOf(error)}`, remedy);
  }
}

async function checkDisk(home: Home, free: DoctorPorts["freeBytes"]): Promise<DoctorCheck> {
  const megabytes = Math.floor((await free(home.directory)) / 1024 ** 2);
  return megabytes * 1024 ** 2 >= MIN_FREE_BYTES
    ? ok("disk", `${megabytes} MiB free`)
    : failed(
        "disk",
        `only ${megabytes} MiB free on the file system of ${home.directory}`,
        `free space, for example with: agent-tty gc --home ${shellWord(home.directory)}`,
      );
}

async function checkLeftovers(home: Home, registry: HomeRegistry): Promise<DoctorCheck> {
  const known = (await registry.list()).map((entry) => entry.directory);
  const found = leftovers([home.directory, ...known]);
  if (found.length === 0) return ok("leftovers", "no process has outlived its Session");
  const named = found.map(({ pid, sessionId }) => `${pid} (of Session ${sessionId})`).join(", ");
  return failed(
    "leftovers",
    `processes outlived their Session: ${named}`,
    `end them with: kill ${found.map(({ pid }) => pid).join(" ")}`,
  );
}

/** Returns a text quoted as one word for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function ok(name: string, detail: string): DoctorCheck {
  return { name, status: "ok", detail };
}

function failed(name: string, detail: string, remedy: string): DoctorCheck {
  return { name, status: "failed", detail, remedy };
}
