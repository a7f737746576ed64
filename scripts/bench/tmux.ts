import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { timed } from "./measure.ts";

const run = promisify(execFile);

/** From the start of the command to its end in a tmux that nobody looks at; null where tmux is not installed. */
export async function tmuxMs(directory: string, command: string): Promise<number | null> {
  if ((await run("tmux", ["-V"]).catch(() => null)) === null) return null;
  const socket = join(directory, "tmux.sock");
  const tmux = (...args: string[]): Promise<unknown> =>
    run("tmux", ["-S", socket, "-f", "/dev/null", ...args], { cwd: directory });
  await tmux("new-session", "-d", "-s", "idle", "cat");
  try {
    return await timed(async () => {
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
  } finally {
    await tmux("kill-server");
  }
}
