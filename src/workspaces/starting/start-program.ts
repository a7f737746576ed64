import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Clock, messageOf } from "agent-tty/kit";
import { startWithoutCopy } from "./start-without-copy.ts";

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

/** Without copying this process where the system can do that. What cannot be started so is tried as Node does it. */
export async function startProgram(start: ProgramStart, clock: Clock): Promise<StartResult> {
  const program = startWithoutCopy(start, clock);
  return program === null ? startWithCopy(start) : { type: "started", program };
}

async function startWithCopy({ command, cwd, env, hasInput }: ProgramStart): Promise<StartResult> {
  const [name, ...argv] = command;
  const child = spawn(name, argv, {
    cwd,
    env,
    detached: true,
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) {
    const [error] = (await once(child, "error")) as [NodeJS.ErrnoException];
    return { type: "not-started", code: error.code ?? "UNKNOWN", message: messageOf(error) };
  }
  const exited = new Promise<ProgramEnd>((resolve) =>
    child.once("exit", (exitCode, signalName) => resolve({ exitCode, signalName })),
  );
  return { type: "started", program: { pid, stdin, stdout, stderr, exited } };
}
