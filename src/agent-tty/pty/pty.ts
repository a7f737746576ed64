/** How the child ended. A child killed by a signal has no exit code of its own. */
export type PtyExit = { type: "code"; code: number } | { type: "signal"; signal: string };

export interface PtySpec {
  /** argv; the program is looked up in `env.PATH`. */
  command: readonly [string, ...string[]];
  cwd: string;
  /** The child's whole environment: nothing of this process is added. */
  env: Readonly<Record<string, string>>;
  cols: number;
  rows: number;
}

export interface PtyListener {
  /** The bytes are overwritten by the next read. */
  output(bytes: Buffer): void;
  /** Once, after the last output. */
  exit(exit: PtyExit): void;
}

/** `identity` tells it from every other process of the machine. */
export interface InnerShell {
  program: string;
  identity: string;
  /** It is behind a connection of its own, whose end here is all that is known of it. */
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
  /** To the child's process group; false when it no longer exists. */
  killGroup(signal: NodeJS.Signals): boolean;
  /** The name of the program in the foreground of the terminal; null when it cannot be told (also on macOS). */
  foregroundProgram(): string | null;
  /** A shell other than the child's own that reads commands from the terminal; null when there is none, or on macOS. */
  innerShell(): InnerShell | null;
  /** To the process group in the foreground of the terminal; false when it cannot be told. */
  killForeground(signal: NodeJS.Signals): boolean;
}

export type SpawnPty = (spec: PtySpec, listener: PtyListener) => Pty;

export type PtyErrorCode = "SPAWN_PROGRAM_MISSING" | "SPAWN_DIRECTORY_MISSING" | "SPAWN_FAILED";
