import { spawn } from "node:child_process";
import { type Clock, messageOf } from "agent-tty/kit";
import type { OpenConnection } from "./connection.ts";

/**
 * Starts a program with pipes in its own process group and returns the connection. When the Session's processes are ended (SIGHUP
 * to their group), the program must survive for the moment in which the remote terminal is instructed to end.
 */
export function openConnection(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  { clock, killAfterMs }: { clock: Clock; killAfterMs: number },
): OpenConnection {
  const [program, ...argv] = command;
  const child = spawn(program, argv, { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // Ignores EPIPE: a lost connection is noticed by the end of the program.
  child.stdin.on("error", () => undefined);
  let failure = "";
  child.on("error", (error) => (failure = messageOf(error)));
  const closed = new Promise<string>((resolve) => {
    child.on("close", (code, signal) => resolve(failure || (signal === null ? `exit ${code}` : signal)));
  });
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    send: (line) => {
      if (child.stdin.writable) child.stdin.write(line);
    },
    close: () => {
      signal("SIGTERM");
      const kill = clock.schedule(killAfterMs, () => signal("SIGKILL"));
      void closed.then(() => kill[Symbol.dispose]());
    },
    kill: () => signal("SIGKILL"),
    closed,
  };
}
