import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import {
  type CoderWorkspace,
  type CoderWorkspaceProvider,
  confinedExec,
  type ReadyWorkspace,
} from "../../../src/workspaces/index.ts";

/** The deployment's durations in milliseconds; none of this time is the parent's work. */
export interface SimulatedDeployment {
  buildMs: number;
  deleteMs: number;
}

export interface SimulatedProvider extends CoderWorkspaceProvider {
  /** Returns the highest number of Coder workspaces that existed at the same time. */
  peak(): number;
  left(): number;
}

/**
 * Creates a provider for a simulated Coder deployment: creates, builds and deletes are only timers, while shells and commands are
 * real processes, as with `coder ssh`. A name is a lock, as on a real deployment.
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
        origin: "built",
        ready: async (signal) => {
          await clock.sleep(Math.max(0, builtAtMs - clock.monotonicMs()), signal);
          return readyWorkspace(join(root, name), clock);
        },
      };
      return { type: "created", workspace };
    },
    list: async () => [],
    leaseState: async (id) => ([...names.values()].includes(id) ? "held" : "lost"),
    stop: async (_, signal) => {
      await clock.sleep(deleteMs, signal);
      return { type: "stopped", isProven: true };
    },
    keep: async () => ({ type: "not-kept", why: "a simulated one holds nothing" }),
    destroy: async ({ name }, signal) => {
      // The real deployment deletes the disk itself, so the files are deleted with `root` after the batch and their removal does
      // not count as the parent's work.
      await clock.sleep(deleteMs, signal);
      return names.delete(name) ? { type: "destroyed" } : { type: "absent" };
    },
  };
  return { ...provider, peak: () => peak, left: () => names.size };
}

async function readyWorkspace(directory: string, clock: Clock): Promise<ReadyWorkspace> {
  await mkdir(directory, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, TERM: "xterm-256color" };
  return {
    directory,
    warnings: [],
    connection: null,
    terminal: ({ rcFile }) => ({
      command: ["bash", "--noediting", "--rcfile", rcFile, "-i"],
      env,
      cwd: directory,
    }),
    // Runs a program as both real adapters do, so that a command takes the same time in the parent.
    exec: (commandLine, options) =>
      confinedExec({ command: ["bash", "-c", commandLine], cwd: directory, env }, options, clock),
  };
}
