import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { messageOf } from "agent-tty/kit";
import type { StartProgram } from "../../board/index.ts";
import { plainText, redactSecrets } from "../../github/index.ts";

/**
 * Starts this program again for the board's follow-ups, with the same Node options, environment and working directory. It runs in
 * its own process group, so that a Ctrl-C in the board's terminal does not reach it, which would count as a second signal; the
 * board sends SIGTERM.
 */
export const startOwnProgram: StartProgram = (args, onLine) => {
  const argv = [...process.execArgv, process.argv[1] ?? "", ...args];
  // stdout carries the document for programs, stderr the text for people.
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  createInterface({ input: child.stderr, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) =>
    onLine(plainText(redactSecrets(line))),
  );
  const ended = new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      onLine(`afk-triage ${args.join(" ")} could not be started: ${messageOf(error)}`);
      resolve(null);
    });
    child.on("close", (exitCode) => resolve(exitCode));
  });
  return { ended, stop: () => void child.kill("SIGTERM") };
};
