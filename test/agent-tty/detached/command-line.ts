import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import type { Binary, Ended } from "./bundled-binary.ts";

export { type Binary, BUILD_PATIENCE_MS, bundledBinary } from "./bundled-binary.ts";

export interface Envelope {
  ok: boolean;
  command: string;
  timestamp: string;
  result: Record<string, unknown>;
  error: { code: string; message: string; retryable: boolean; remedy: string; details: unknown };
  exitCode: number | undefined;
}

export interface CommandLine extends AsyncDisposable {
  home: string;
  /** Working directory of the commands. */
  directory: string;
  env: Record<string, string>;
  /** Runs a command in a new process. */
  start(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Runs a command without the cost of starting a process. */
  command(args: readonly string[]): Promise<Ended>;
  json(args: readonly string[]): Promise<Envelope>;
  /** Runs `create -- …` and returns the Session's id. */
  create(...command: string[]): Promise<string>;
  manifest(sessionId: string): Promise<{ status: string; hostPid: number; childPid: number }>;
}

/** Creates a new home. Every host process in it ends with the test's scope. */
export async function commandLine(binary: Binary): Promise<CommandLine> {
  const root = await temporaryDirectory();
  const home = join(root.path, "home");
  const directory = join(root.path, "work");
  await mkdir(directory);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    ...binary.codeCache,
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    AGENT_TTY_HOME: home,
  };
  const command: CommandLine["command"] = (args) => binary.command(args, { cwd: directory, env });
  const json: CommandLine["json"] = async (args) => {
    const { exitCode, stdout } = await command(withJson(args));
    expect(stdout.split("\n")).toHaveLength(1);
    return { ...(JSON.parse(stdout) as Envelope), exitCode };
  };
  const manifest: CommandLine["manifest"] = async (sessionId) =>
    JSON.parse(await readFile(join(home, "sessions", sessionId, "session.json"), "utf8")) as {
      status: string;
      hostPid: number;
      childPid: number;
    };
  return {
    home,
    directory,
    env,
    start: (args, more = {}) => binary.start(args, { cwd: directory, env: { ...env, ...more } }),
    command,
    json,
    manifest,
    create: async (...command) => {
      const created = await json(["create", "--", ...command]);
      expect(created).toMatchObject({ ok: true, exitCode: 0 });
      return String(created.result["sessionId"]);
    },
    [Symbol.asyncDispose]: async () => {
      const ids = await readdir(join(home, "sessions")).catch(() => []);
      const found = await Promise.all(ids.map((id) => manifest(id).catch(() => null)));
      await Promise.all(ids.map((id) => command(["destroy", id, "--force"])));
      const pids = found.flatMap((read) => (read === null ? [] : [read.hostPid, read.childPid]));
      // The test process itself may host a Session.
      for (const pid of pids.filter((pid) => pid !== process.pid)) await processGone(pid);
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the process no longer exists or is a zombie; the test's own time limit bounds it. */
export async function processGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 10_000, interval: 5 }).toBe(false);
}

export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}

function withJson(args: readonly string[]): string[] {
  const [command = "", ...rest] = args;
  return [command, "--json", ...rest];
}
