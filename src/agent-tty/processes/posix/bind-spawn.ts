import { type Bind, opaque } from "./bind.ts";
import type { PosixCalls, SpawnStreams } from "./posix-calls.ts";

/** These values are the same in glibc and musl. */
const POSIX_SPAWN_SETSIGDEF = 0x04;
const POSIX_SPAWN_SETSIGMASK = 0x08;
const POSIX_SPAWN_SETSID = 0x80;
const O_RDONLY = 0;
const O_RDWR = 2;

/** Returns the call that starts a program (posix_spawn(3)). Throws if the C library lacks one of the functions it needs. */
export function bindSpawn(call: Bind): PosixCalls["spawn"] {
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
  const addStreams = (actions: Buffer, streams: SpawnStreams): number => {
    if ("terminal" in streams)
      // posix_spawn creates the session before it opens the streams, and the first terminal that a session leader opens becomes
      // its controlling terminal.
      return (
        addOpen(actions, 0, streams.terminal, O_RDWR, 0) || addDup2(actions, 0, 1) || addDup2(actions, 0, 2)
      );
    const { stdin, stdout, stderr } = streams;
    return (
      (stdin === null ? addOpen(actions, 0, "/dev/null", O_RDONLY, 0) : addDup2(actions, stdin, 0)) ||
      addDup2(actions, stdout, 1) ||
      addDup2(actions, stderr, 2)
    );
  };
  return (path, { command, cwd, env }, streams) => {
    const actions = opaque();
    const initErrno = initActions(actions);
    if (initErrno !== 0) return { errno: initErrno };
    const pid = [0];
    const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const errno =
      addChdir(actions, cwd) ||
      addStreams(actions, streams) ||
      spawn(pid, path, actions, attributes, [...command, null], [...environment, null]);
    destroyActions(actions);
    return errno === 0 ? { pid: pid[0] ?? 0 } : { errno };
  };
}

/** Returns spawn attributes: a new session, default handlers for signals that Node ignores, and no blocked signals. */
function freshSignals(call: Bind): Buffer {
  const attributes = opaque();
  const signals = opaque();
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
