import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { temporaryDirectory } from "../temporary-directory.ts";

const RELEASES = "/usr/lib/postgresql";
/** The number of servers that this process has started; part of the names of their sockets. */
let started = 0;

/** The directory of the newest PostgreSQL's programs; null if this machine has none, and the tests that need one are skipped. */
export const postgresPrograms: string | null = existsSync(RELEASES)
  ? (readdirSync(RELEASES)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((release) => join(RELEASES, release, "bin"))
      .find((directory) => existsSync(join(directory, "initdb"))) ?? null)
  : null;

/** The suffix of titles of skipped tests. */
export const withoutPostgres =
  postgresPrograms === null ? " (skipped: no PostgreSQL server below /usr/lib/postgresql)" : "";

export interface PostgresServer extends AsyncDisposable {
  /** The URL of the database `postgres`. */
  url: string;
  /** `immediate` is a crash: open connections break, and the next start recovers. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a new server on a socket in a private directory, without TCP. PostgreSQL refuses to run as root, so root becomes
 * `postgres`.
 */
export async function startPostgres({ connections = 60 } = {}): Promise<PostgresServer> {
  if (postgresPrograms === null) throw new Error("no PostgreSQL server is installed");
  const directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  started += 1;
  // A value in a URL that looks random counts as a secret of the parent (S25), and a path in the test's own directory would then
  // be found in every path that a Triage Agent prints. This path never looks random.
  const sockets = join(tmpdir(), `pg-${process.pid}-${started}`);
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const drop = isRoot ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : [];
  if (isRoot) {
    const [user, group] = ["-u", "-g"].map((flag) =>
      Number(execFileSync("id", [flag, "postgres"]).toString()),
    );
    for (const path of [directory.path, sockets]) chownSync(path, user ?? 0, group ?? 0);
  }
  chmodSync(directory.path, 0o700);
  const run = async (program: string, ...rest: string[]): Promise<void> => {
    const [command, ...before] = [...drop, join(postgresPrograms, program)];
    await execa(command, [...before, ...rest], { cwd: "/", stdin: "ignore", stdout: "ignore" });
  };
  await makeCluster(data, () =>
    run(
      "initdb",
      "-D",
      data,
      "-U",
      "postgres",
      "--auth=trust",
      "--no-sync",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
    ),
  );
  const start = (): Promise<void> =>
    run(
      "pg_ctl",
      "-D",
      data,
      "-l",
      join(directory.path, "log"),
      "-w",
      "-o",
      `-k ${sockets} -c listen_addresses= -c fsync=off -c max_connections=${connections}`,
      "start",
    );
  const stop = (mode: string): Promise<void> => run("pg_ctl", "-D", data, "-m", mode, "-w", "stop");
  await start();
  let isUp = true;
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    start: async () => {
      await start();
      isUp = true;
    },
    stop: async (mode) => {
      await stop(mode);
      isUp = false;
    },
    [Symbol.asyncDispose]: async () => {
      if (isUp) await stop("immediate");
      await rm(sockets, { recursive: true, force: true });
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** initdb takes a second of processor time, so the first cluster of a test run (one-build.ts) is the template for the others. */
async function makeCluster(data: string, initialize: () => Promise<void>): Promise<void> {
  const program = process.env["AFK_TEST_PROGRAM"];
  const template = `${program}.postgres`;
  // The copy keeps owner and modes, which PostgreSQL checks.
  const copy = (from: string, to: string) => execa("cp", ["--archive", from, to]);
  if (program !== undefined && existsSync(template)) return void (await copy(template, data));
  await initialize();
  if (program === undefined) return;
  const own = `${template}.${process.pid}`;
  await mkdir(dirname(own), { recursive: true });
  await copy(data, own);
  // Another process of the run may have created the template first.
  await rename(own, template).catch(() => rm(own, { recursive: true }));
}
