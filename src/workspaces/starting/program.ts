import type { Readable, Writable } from "node:stream";

export interface ProgramStart {
  command: readonly [string, ...string[]];
  cwd: string;
  /** The complete environment of the program; the program is looked up in its PATH. */
  env: Readonly<Record<string, string>>;
  hasInput: boolean;
}

/** `exitCode` is null if a signal ended the program. */
export interface ProgramEnd {
  exitCode: number | null;
  signalName: NodeJS.Signals | null;
}

/** A program that leads its own session and process group. */
export interface StartedProgram {
  pid: number;
  /** null if it has no input. */
  stdin: Writable | null;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the program has ended, even if another process still holds its output. */
  exited: Promise<ProgramEnd>;
}

export type StartResult =
  | { type: "started"; program: StartedProgram }
  | { type: "not-started"; code: string; message: string };
