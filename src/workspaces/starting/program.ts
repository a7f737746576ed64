import type { Readable, Writable } from "node:stream";

export interface ProgramStart {
  command: readonly [string, ...string[]];
  cwd: string;
  /** The program's whole environment; the program is looked up in its PATH. */
  env: Readonly<Record<string, string>>;
  hasInput: boolean;
}

/** `exitCode` is null when a signal ended it. */
export interface ProgramEnd {
  exitCode: number | null;
  signalName: NodeJS.Signals | null;
}

/** A program in a session and process group of its own, which it leads. */
export interface StartedProgram {
  pid: number;
  /** null without input. */
  stdin: Writable | null;
  stdout: Readable;
  stderr: Readable;
  /** When it has ended, whatever still holds its output. */
  exited: Promise<ProgramEnd>;
}

export type StartResult =
  | { type: "started"; program: StartedProgram }
  | { type: "not-started"; code: string; message: string };
