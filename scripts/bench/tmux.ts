import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cpuMsOf, timed } from "./measure.ts";

const run = promisify(execFile);

export interface TmuxFigures {
  /** The time from the command's start to its end. */
  ms: number;
  /** Processor time of the tmux server during that time, as the kernel counts it. */
  cpuMs: number;
}

/** Runs the command in a detached tmux; returns null if tmux is not installed. */
export async function measureTmux(directory: string, command: string): Promise<TmuxFigures | null> {
  if ((await run("tmux", ["-V"]).catch(() => null)) === null) return null;
  const socket = join(directory, "tmux.sock");
  const tmux = (...args: string[]): Promise<{ stdout: string }> =>
    run("tmux", ["-S", socket, "-f", "/dev/null", ...args], { cwd: directory });
  await tmux("new-session", "-d", "-s", "idle", "cat");
  try {
    const { stdout: pid } = await tmux("display-message", "-p", "#{pid}");
    const cpuBeforeMs = await cpuMsOf(Number(pid));
    const ms = await timed(async () => {
      await tmux(
        "new-session",
        "-d",
        "-x",
        "80",
        "-y",
        "24",
        `${command}; tmux -S ${socket} wait-for -S end`,
      );
      await tmux("wait-for", "end");
    });
    return { ms, cpuMs: (await cpuMsOf(Number(pid))) - cpuBeforeMs };
  } finally {
    await tmux("kill-server");
  }
}
