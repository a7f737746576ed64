import { closeSync } from "node:fs";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import { type Clock, messageOf, OperationalError } from "../kit/index.ts";
import { awaitEnd, posixCalls } from "../processes/index.ts";
import { loadCloseOnExec } from "./close-on-exec.ts";
import { findProgram } from "./find-program.ts";
import { loadNativePty } from "./native-pty.ts";
import type { PtyErrorCode, PtySpec } from "./pty.ts";

/** A program on its own pseudo-terminal. Reads and writes of `fd`, the master, do not block; no other program inherits it. */
export interface StartedTerminal {
  fd: number;
  pid: number;
  resize(cols: number, rows: number): void;
}

interface Start {
  /** The program's absolute path. */
  program: string;
  spec: PtySpec;
  /** `code` is valid only if `signalNumber` is 0. */
  onExit: (code: number, signalNumber: number) => void;
}

/**
 * Starts a program on a new pseudo-terminal and returns that terminal. Throws SPAWN_PROGRAM_MISSING, SPAWN_DIRECTORY_MISSING or
 * SPAWN_FAILED. `posix_spawn` is used if the system supports it. Otherwise, and for a script without an interpreter line,
 * node-pty's addon forks, which does not report when a program cannot be started.
 */
export function startOnTerminal(spec: PtySpec, onExit: Start["onExit"], clock: Clock): StartedTerminal {
  const program = findProgram(spec);
  const start = { program, spec: { ...spec, env: { ...spec.env, PWD: spec.cwd } }, onExit };
  try {
    return startWithoutCopy(start, clock) ?? startByAddon(start);
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    throw new OperationalError<PtyErrorCode>({
      code: "SPAWN_FAILED",
      message: `cannot start ${program} on a pseudo-terminal: ${messageOf(error)}`,
      remedy: "check the limits on processes and pseudo-terminals (ulimit -u, /proc/sys/kernel/pty/max)",
      cause: error,
    });
  }
}

/**
 * Returns the error for an error number of posix_spawn. The program's file exists, so ENOENT means that something it needs to run
 * is missing.
 */
function refusalOf(program: string, errno: number): Error {
  if (errno !== constants.errno.ENOENT) return new Error(getSystemErrorName(-errno));
  return new OperationalError<PtyErrorCode>({
    code: "SPAWN_PROGRAM_MISSING",
    message: `cannot start ${program}: its interpreter (the line #! of a script) or its loader is not there`,
    remedy: "install what the program needs, or correct its first line",
    details: { program },
  });
}

/**
 * Starts a program with posix_spawn. Returns null, without a process, if the system cannot start it this way. Throws if the
 * system refuses the program itself.
 */
function startWithoutCopy({ program, spec, onExit }: Start, clock: Clock): StartedTerminal | null {
  const calls = posixCalls();
  const terminal = calls?.openTerminal(spec.cols, spec.rows) ?? null;
  if (calls === null || terminal === null) return null;
  const { masterFd: fd, slaveFd, path } = terminal;
  const command = [program, ...spec.command.slice(1)];
  const started = calls.spawn(program, { ...spec, command }, { terminal: path });
  closeSync(slaveFd);
  if ("errno" in started) {
    closeSync(fd);
    if (started.errno === constants.errno.ENOEXEC) return null;
    throw refusalOf(program, started.errno);
  }
  const { pid } = started;
  void awaitEnd(pid, calls, clock).then(({ code, signalNumber }) => onExit(code, signalNumber));
  return { fd, pid, resize: (cols, rows) => void calls.resizeTerminal(fd, cols, rows) };
}

function startByAddon({ program, spec, onExit }: Start): StartedTerminal {
  const { native, helperPath } = loadNativePty();
  const { command, env, cwd } = spec;
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Loaded before the fork, so that a failure to load leaves no child behind.
  const closeOnExec = loadCloseOnExec();
  const { fd, pid } = native.fork(
    program,
    command.slice(1),
    environment,
    cwd,
    spec.cols,
    spec.rows,
    -1,
    -1,
    true,
    helperPath,
    onExit,
  );
  closeOnExec(fd);
  return { fd, pid, resize: (cols, rows) => native.resize(fd, cols, rows) };
}
