import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { awaitEnd, type ChildEnd, type PosixCalls, posixCalls } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import { executableIn } from "./executable-in.ts";
import type { ProgramEnd, ProgramStart, StartedProgram } from "./program.ts";

/**
 * Starts a program without fork. Returns null if the system has no such call or refused it; then there is no process. Node forks
 * to start a program: the kernel copies the page tables of a parent of 200 MB (2 ms), and each page to which the parent writes
 * afterwards costs a fault. `posix_spawn` shares the memory until the program runs.
 */
export function startWithoutCopy(start: ProgramStart, clock: Clock): StartedProgram | null {
  const calls = posixCalls();
  const path = calls === null ? null : executableIn(start);
  if (calls === null || path === null) return null;
  const pipes = openPipes(calls, start.hasInput ? 3 : 2);
  if (pipes === null) return null;
  const [output, errors, input = null] = pipes;
  if (output === undefined || errors === undefined) return null;
  const started = calls.spawn(path, start, {
    stdin: input?.readFd ?? null,
    stdout: output.writeFd,
    stderr: errors.writeFd,
  });
  for (const fd of [output.writeFd, errors.writeFd, input?.readFd ?? null]) if (fd !== null) closeSync(fd);
  if ("errno" in started) {
    for (const fd of [output.readFd, errors.readFd, input?.writeFd ?? null]) if (fd !== null) closeSync(fd);
    return null;
  }
  const { pid } = started;
  return {
    pid,
    exited: awaitEnd(pid, calls, clock).then(endOf),
    stdin: input === null ? null : new Socket({ fd: input.writeFd, readable: false, writable: true }),
    stdout: new Socket({ fd: output.readFd, readable: true, writable: false }),
    stderr: new Socket({ fd: errors.readFd, readable: true, writable: false }),
  };
}

type Pipe = NonNullable<ReturnType<PosixCalls["pipe"]>>;

/** Returns all pipes or, if descriptors run out, null; then none is open. */
function openPipes(calls: PosixCalls, count: number): Pipe[] | null {
  const pipes: Pipe[] = [];
  while (pipes.length < count) {
    const pipe = calls.pipe();
    if (pipe === null) {
      for (const { readFd, writeFd } of pipes) for (const fd of [readFd, writeFd]) closeSync(fd);
      return null;
    }
    pipes.push(pipe);
  }
  return pipes;
}

function endOf({ code, signalNumber }: ChildEnd): ProgramEnd {
  if (signalNumber === 0) return { exitCode: code, signalName: null };
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  const signalName = names.find((name) => constants.signals[name] === signalNumber) ?? "SIGKILL";
  return { exitCode: null, signalName };
}
