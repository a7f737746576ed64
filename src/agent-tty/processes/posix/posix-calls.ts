/**
 * Calls of the C library that Node does not offer, made through koffi. They are synchronous; null means that the system refused.
 */
export interface PosixCalls {
  /** Creates a pipe that is closed on exec, so that no other program inherits it. */
  pipe(): { readFd: number; writeFd: number } | null;
  /**
   * Opens a new pseudo-terminal with the modes of `terminalModes`. Both ends are closed on exec. Reads and writes of the master
   * do not block. `path` is the path of the slave.
   */
  openTerminal(cols: number, rows: number): { masterFd: number; slaveFd: number; path: string } | null;
  /** Returns false if the terminal is gone. */
  resizeTerminal(masterFd: number, cols: number, rows: number): boolean;
  /** Starts a program as the leader of its own session. Returns its pid, or the system's error number if there is no process. */
  spawn(path: string, start: SpawnStart, streams: SpawnStreams): { pid: number } | { errno: number };
  /** Returns the pid of a child of this process that has ended and was not collected yet; null if there is none. */
  endedChild(): number | null;
  /** Returns the wait(2) status of a child that has ended, once; null while it lives. */
  statusOf(pid: number): number | null;
}

export interface SpawnStart {
  command: readonly string[];
  cwd: string;
  /** The program's whole environment. */
  env: Readonly<Record<string, string>>;
}

/**
 * The streams of a program. If `stdin` is null, it is /dev/null. `terminal` is the path of a slave: all three streams are that
 * terminal, which becomes the controlling terminal.
 */
export type SpawnStreams = { stdin: number | null; stdout: number; stderr: number } | { terminal: string };
