import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A host process that waits for its spec on stdin. It exits if its stdin closes without a spec. */
export interface LaunchedHost {
  process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects when the system cannot start the process; never resolves. */
  failed: Promise<never>;
  /** Lets the host keep running when this process ends. After this call, `kill` does nothing. */
  letGo(): void;
  kill(): void;
}

/** Starts a detached host process. `argv` is the arguments for node. Throws what `spawn` throws. */
export function launchHost(argv: readonly string[]): LaunchedHost {
  const host = spawn(process.execPath, argv, {
    // The host gets its own process session, so that it survives when this terminal is closed.
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

/**
 * Returns only the variables that a process needs to run: the Session's variables (NODE_OPTIONS, secrets) are for the child only.
 */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
