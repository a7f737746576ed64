import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import {
  type CoderWorkspace,
  type CoderWorkspaceProvider,
  confinedExec,
  type ReadyWorkspace,
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
      // Its disk is the deployment's to delete, so it goes with `root` after the batch: a hundred files are no work of a parent.
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
    // As both real adapters run a program, so that a command costs the parent what it costs it there.
    exec: (commandLine, options) =>
      confinedExec({ command: ["bash", "-c", commandLine], cwd: directory, env }, options, clock),
  };
}
