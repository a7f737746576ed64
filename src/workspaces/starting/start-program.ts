import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Clock, messageOf } from "agent-tty/kit";
import type { ProgramEnd, ProgramStart, StartResult } from "./program.ts";
import { startWithoutCopy } from "./start-without-copy.ts";

/**
 * Starts a program and resolves with it. If the system allows it, the program is started without copying this process; otherwise,
 * or if that start fails, Node starts it.
 */
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
