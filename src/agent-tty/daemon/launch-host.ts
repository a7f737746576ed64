import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A host process that waits for its spec on stdin. It ends by itself if its stdin closes without one. */
export interface LaunchedHost {
  process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects when the system cannot start the process; never resolves. */
  failed: Promise<never>;
  /** The host stays when this process ends; `kill` does nothing from then on. */
  letGo(): void;
  kill(): void;
}

/** Starts a process of its own: `argv` are the arguments for node. Throws what `spawn` throws. */
export function launchHost(argv: readonly string[]): LaunchedHost {
  const host = spawn(process.execPath, argv, {
    // Its own session: the end of this terminal is not the end of the Session.
    detached: true,
    env: hostEnvironment(process.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const failed = once(host, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  host.stdin.on("error", () => undefined);
  let isLetGo = false;
  return {
    process: host,
    failed,
    letGo: () => {
      isLetGo = true;
      for (const stream of [host.stdin, host.stdout, host.stderr]) stream.destroy();
      host.unref();
    },
    kill: () => {
      if (!isLetGo) host.kill("SIGKILL");
    },
  };
}

/** Only what a process needs to run: the Session's variables (NODE_OPTIONS, secrets) are the child's alone. */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
