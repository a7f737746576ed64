import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";
import type { ProgramStart } from "./program.ts";

/** Calls of the C library that Node does not offer, through koffi. Synchronous; null means that the system refused. */
export interface PosixCalls {
  /** Closed on exec, so that no other program inherits it. */
  pipe(): { readFd: number; writeFd: number } | null;
  /** The pid of the program, which leads a session of its own; there is none after null. `stdin` null: /dev/null. */
  spawn(path: string, start: ProgramStart, streams: Streams): number | null;
  /** wait(2)'s status of a child that has ended, once; null while it lives. */
  statusOf(pid: number): number | null;
}

interface Streams {
  stdin: number | null;
  stdout: number;
  stderr: number;
}

/** The same in glibc and musl, on every processor. */
const POSIX_SPAWN_SETSIGDEF = 0x04;
const POSIX_SPAWN_SETSIGMASK = 0x08;
const POSIX_SPAWN_SETSID = 0x80;
const O_RDONLY = 0;
const O_CLOEXEC = 0o2000000;
const WNOHANG = 1;
/** The status of a process that SIGKILL ended. */
const UNKNOWN_END = 9;

/** Several times what the C libraries need for their own. */
const OPAQUE_BYTES = 1_024;

const require = createRequire(import.meta.url);
let loaded: PosixCalls | null | undefined;

/** null on systems other than Linux, with a C library that lacks one of the calls, and in worker threads, which hear no signals. */
export function posixCalls(): PosixCalls | null {
  if (loaded === undefined) loaded = process.platform === "linux" && isMainThread ? load() : null;
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
  const call = (signature: string): Call => library.func(signature);
  const pipe2 = call("int pipe2(_Out_ int *fds, int flags)");
  const waitpid = call("int waitpid(int pid, _Out_ int *status, int options)");
  const spawn = call(
    "int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attributes, const char **argv, const char **envp)",
  );
  const initActions = call("int posix_spawn_file_actions_init(void *actions)");
  const destroyActions = call("int posix_spawn_file_actions_destroy(void *actions)");
  const addDup2 = call("int posix_spawn_file_actions_adddup2(void *actions, int fd, int as)");
  const addOpen = call(
    "int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, int mode)",
  );
  const addChdir = call("int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)");
  const attributes = freshSignals(call);
  return {
    pipe: () => {
      const fds = [-1, -1];
      if (pipe2(fds, O_CLOEXEC) !== 0) return null;
      const [readFd = -1, writeFd = -1] = fds;
      return { readFd, writeFd };
    },
    spawn: (path, { command, cwd, env }, { stdin, stdout, stderr }) => {
      const actions = Buffer.alloc(OPAQUE_BYTES);
      if (initActions(actions) !== 0) return null;
      const pid = [0];
      const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const isStarted =
        addChdir(actions, cwd) === 0 &&
        (stdin === null ? addOpen(actions, 0, "/dev/null", O_RDONLY, 0) : addDup2(actions, stdin, 0)) === 0 &&
        addDup2(actions, stdout, 1) === 0 &&
        addDup2(actions, stderr, 2) === 0 &&
        spawn(pid, path, actions, attributes, [...command, null], [...environment, null]) === 0;
      destroyActions(actions);
      return isStarted ? (pid[0] ?? null) : null;
    },
    statusOf: (pid) => {
      const status = [0];
      const ended = waitpid(pid, status, WNOHANG);
      if (ended === 0) return null;
      // Other code has already collected it: an unknown end does not count as a success.
      return ended === pid ? (status[0] ?? UNKNOWN_END) : UNKNOWN_END;
    },
  };
}

type Call = (...values: unknown[]) => number;

/** A session of its own, and none of what Node ignores or blocks. */
function freshSignals(call: (signature: string) => Call): Buffer {
  const attributes = Buffer.alloc(OPAQUE_BYTES);
  const signals = Buffer.alloc(OPAQUE_BYTES);
  const done = [
    call("int posix_spawnattr_init(void *attributes)")(attributes),
    call("int sigfillset(void *signals)")(signals),
    call("int posix_spawnattr_setsigdefault(void *attributes, void *signals)")(attributes, signals),
    call("int sigemptyset(void *signals)")(signals),
    call("int posix_spawnattr_setsigmask(void *attributes, void *signals)")(attributes, signals),
    call("int posix_spawnattr_setflags(void *attributes, short flags)")(
      attributes,
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID,
    ),
  ];
  if (done.some((result) => result !== 0)) throw new Error("posix_spawn takes no attributes here");
  return attributes;
}
