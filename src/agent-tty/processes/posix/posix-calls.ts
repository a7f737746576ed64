/** Calls of the C library that Node does not offer, through koffi. Synchronous; null means that the system refused. */
export interface PosixCalls {
  /** Closed on exec, so that no other program inherits it. */
  pipe(): { readFd: number; writeFd: number } | null;
  /**
   * Both ends of a new pseudo-terminal, closed on exec, with the modes of `terminalModes`. Reads and writes of the master do not
   * block. `path` names the slave.
   */
  openTerminal(cols: number, rows: number): { masterFd: number; slaveFd: number; path: string } | null;
  /** False when the terminal is gone. */
  resizeTerminal(masterFd: number, cols: number, rows: number): boolean;
  /** The pid of the program, which leads a session of its own; or the system's error number, and there is no process. */
  spawn(path: string, start: SpawnStart, streams: SpawnStreams): { pid: number } | { errno: number };
  /** The pid of a child of this process that has ended and that nobody has asked for; null while there is none. */
  endedChild(): number | null;
  /** wait(2)'s status of a child that has ended, once; null while it lives. */
  statusOf(pid: number): number | null;
}

export interface SpawnStart {
  command: readonly string[];
  cwd: string;
  /** The program's whole environment. */
  env: Readonly<Record<string, string>>;
}

/** `stdin` null: /dev/null. `terminal`: a slave's path; all three streams are that terminal, which controls the session. */
export type SpawnStreams = { stdin: number | null; stdout: number; stderr: number } | { terminal: string };
