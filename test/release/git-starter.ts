import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { StartGit } from "../../src/release/index.ts";

type Answer = Awaited<ReturnType<StartGit>>;

interface Message extends Omit<Answer, "stdout"> {
  id: number;
  stdout: string;
}

/** Starts git from a process that is smaller than a test worker. */
export interface GitStarter extends AsyncDisposable {
  start: (
    args: readonly string[],
    options: { cwd?: string; env: Readonly<Record<string, string | undefined>>; input: string | null },
  ) => Promise<Answer>;
}

export function openGitStarter(): GitStarter {
  const starter: ChildProcess = fork(join(import.meta.dirname, "git-starter.mjs"), { execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  starter.on("message", ({ id, exitCode, stdout, stderr }: Message) => {
    waiting.get(id)?.({ exitCode, stdout: Buffer.from(stdout, "base64"), stderr });
    waiting.delete(id);
  });
  const ended = once(starter, "exit");
  return {
    start: (args, { cwd = "/", env, input }) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, resolve);
        starter.send({ id: asked, args, cwd, env, input }, (error) => error !== null && reject(error));
      }),
    [Symbol.asyncDispose]: async () => {
      if (starter.connected) starter.disconnect();
      await ended;
    },
  };
}
