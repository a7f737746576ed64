import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";
import { type Bind, opaque } from "./bind.ts";
import { bindDescriptors } from "./bind-descriptors.ts";
import { bindSpawn } from "./bind-spawn.ts";
import type { PosixCalls } from "./posix-calls.ts";

/** waitid(2). */
const P_ALL = 0;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x01000000;
/** The offset of `si_pid` in siginfo_t on 64-bit processors. */
const SI_PID_AT = 16;
/** The wait status of a process that SIGKILL ended. */
const UNKNOWN_END = 9;

const require = createRequire(import.meta.url);
let loaded: PosixCalls | null | undefined;

/**
 * Returns the calls of the C library, or null if they cannot be used: on systems other than Linux on x64 and arm64, if the C
 * library lacks one of the calls, and in worker threads, which do not receive signals.
 */
export function posixCalls(): PosixCalls | null {
  if (loaded === undefined) {
    const isKnown = process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64");
    loaded = isKnown && isMainThread ? load() : null;
  }
  return loaded;
}

function load(): PosixCalls | null {
  try {
    return bind();
  } catch {
    return null;
  }
}

function bind(): PosixCalls {
  const koffi = require("koffi") as typeof import("koffi");
  const library = koffi.load(null);
  const call: Bind = (signature) => library.func(signature);
  const waitpid = call("int waitpid(int pid, _Out_ int *status, int options)");
  const waitid = call("int waitid(int kind, unsigned int id, void *info, int options)");
  const info = opaque();
  return {
    ...bindDescriptors(call),
    spawn: bindSpawn(call),
    endedChild: () => {
      info.fill(0, 0, SI_PID_AT + 4);
      if (waitid(P_ALL, 0, info, WEXITED | WNOHANG | WNOWAIT) !== 0) return null;
      const pid = info.readInt32LE(SI_PID_AT);
      return pid === 0 ? null : pid;
    },
    statusOf: (pid) => {
      const status = [0];
      const ended = waitpid(pid, status, WNOHANG);
      if (ended === 0) return null;
      // Other code has already collected the child: an unknown end must not count as a success.
      return ended === pid ? (status[0] ?? UNKNOWN_END) : UNKNOWN_END;
    },
  };
}
