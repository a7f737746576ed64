import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import { execa } from "execa";
import type {
  CoderWorkspace,
  CoderWorkspaceProvider,
  ExecOptions,
  ExecResult,
  ReadyWorkspace,
} from "../../../src/workspaces/index.ts";

/** Milliseconds that the deployment takes; nothing of it is the parent's work. */
export interface SimulatedDeployment {
  buildMs: number;
  deleteMs: number;
}

export interface SimulatedProvider extends CoderWorkspaceProvider {
  /** How many stood at once, at most. */
  peak(): number;
  left(): number;
}

/**
 * A Coder deployment of which only the waiting is simulated: creates, builds and deletes take their time in memory, while
 * shells and commands are real processes, as `coder ssh` would be. A name is a lock, as on the real one.
 */
export function createSimulatedProvider(
  root: string,
  { buildMs, deleteMs }: SimulatedDeployment,
  clock: Clock,
): SimulatedProvider {
  const names = new Map<string, string>();
  let peak = 0;
  const provider: CoderWorkspaceProvider = {
    kind: "coder",
    preflight: async () => ({ kind: "coder", summary: "a simulated deployment", warnings: [] }),
    create: async ({ name }) => {
      if (names.has(name)) return { type: "locked", holder: null };
      const id = `simulated-${name}`;
      names.set(name, id);
      peak = Math.max(peak, names.size);
      const builtAtMs = clock.monotonicMs() + buildMs;
      const workspace: CoderWorkspace = {
        id,
        name,
        ready: async (signal) => {
          await clock.sleep(Math.max(0, builtAtMs - clock.monotonicMs()), signal);
          return readyWorkspace(join(root, name));
        },
      };
      return { type: "created", workspace };
    },
    list: async () => [],
    leaseState: async (id) => ([...names.values()].includes(id) ? "held" : "lost"),
    destroy: async ({ name }, signal) => {
      await clock.sleep(deleteMs, signal);
      await rm(join(root, name), { recursive: true, force: true });
      return names.delete(name) ? { type: "destroyed" } : { type: "absent" };
    },
  };
  return { ...provider, peak: () => peak, left: () => names.size };
}

async function readyWorkspace(directory: string): Promise<ReadyWorkspace> {
  await mkdir(directory, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, TERM: "xterm-256color" };
  return {
    directory,
    warnings: [],
    terminal: ({ rcFile }) => ({
      command: ["bash", "--noediting", "--rcfile", rcFile, "-i"],
      env,
      cwd: directory,
    }),
    exec: (commandLine, options) => run(commandLine, directory, env, options),
  };
}

async function run(
  commandLine: string,
  cwd: string,
  env: Record<string, string>,
  { stdin, timeoutMs, signal }: ExecOptions,
): Promise<ExecResult> {
  const result = await execa("bash", ["-c", commandLine], {
    cwd,
    env,
    extendEnv: false,
    timeout: timeoutMs,
    reject: false,
    encoding: "buffer",
    stripFinalNewline: false,
    ...(stdin === undefined ? { stdin: "ignore" as const } : { input: stdin }),
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  const stderr = Buffer.from(result.stderr).toString();
  if (result.timedOut) return { type: "timed-out", stderr };
  if (result.exitCode === undefined) return { type: "transport-lost", message: stderr };
  return { type: "exited", exitCode: result.exitCode, stdout: result.stdout, stderr };
}
