/** How the child ended. A child killed by a signal has no exit code of its own. */
export type PtyExit = { type: "code"; code: number } | { type: "signal"; signal: string };

export interface PtySpec {
  /** argv; the program is looked up in `env.PATH`. */
  command: readonly [string, ...string[]];
  cwd: string;
  /** The child's whole environment: nothing is added from this process. */
  env: Readonly<Record<string, string>>;
  cols: number;
  rows: number;
}

export interface PtyListener {
  /** The next read overwrites the bytes. */
  output(bytes: Buffer): void;
  /** Called once, after the last output. */
  exit(exit: PtyExit): void;
}

/** `identity` is unique among all processes of the machine. */
export interface InnerShell {
  program: string;
  identity: string;
  /** The shell runs behind a connection such as ssh, so only the end of that connection can be seen from here. */
  isRemote: boolean;
}

/** A child process on its own pseudo-terminal, as the leader of its own session and process group. */
export interface Pty {
  readonly pid: number;
  /** Bytes not yet taken by the terminal's input queue. */
  readonly pendingInputBytes: number;
  /** Resolves when the terminal has taken every byte, or when the child is gone. */
  write(data: string | Uint8Array): Promise<void>;
  resize(cols: number, rows: number): void;
  /** Stops reading: the child blocks once the kernel's buffer is full. */
  pause(): void;
  resume(): void;
  /** Signals the child's process group; returns false if it no longer exists. */
  killGroup(signal: NodeJS.Signals): boolean;
  /** Returns the name of the program in the foreground of the terminal; null if it cannot be determined (always on macOS). */
  foregroundProgram(): string | null;
  /** Returns a shell other than the child's own that reads commands from the terminal; null if there is none, or on macOS. */
  innerShell(): InnerShell | null;
  /**
   * Returns whether a shell is alone in the foreground of the terminal: the inner shell of this identity or, for null, the child
   * itself. Always false on macOS.
   */
  isShellAlone(identity: string | null): boolean;
  /** Signals the process group in the foreground of the terminal; returns false if it cannot be determined. */
  killForeground(signal: NodeJS.Signals): boolean;
}

export type SpawnPty = (spec: PtySpec, listener: PtyListener) => Pty;

export type PtyErrorCode = "SPAWN_PROGRAM_MISSING" | "SPAWN_DIRECTORY_MISSING" | "SPAWN_FAILED";
