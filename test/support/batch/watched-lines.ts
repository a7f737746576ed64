import { createInterface } from "node:readline";
import { poll } from "./poll.ts";
import type { RunningProgram } from "./program.ts";

/** Keeps the lines that a program writes to stderr, so that tests can wait for one, even if it was written long before. */
export function watchLines(running: RunningProgram): { until: (pattern: RegExp) => Promise<string> } {
  const lines: string[] = [];
  const reader = createInterface({ input: running.stderr }).on("line", (line) => lines.push(line));
  let isClosed = false;
  reader.on("close", () => (isClosed = true));
  return {
    until: (pattern) =>
      poll(`a line like ${String(pattern)} on stderr`, () => {
        const found = lines.find((line) => pattern.test(line));
        if (found === undefined && isClosed) {
          throw new Error(`the program ended without a line like ${String(pattern)}:\n${lines.join("\n")}`);
        }
        return found;
      }),
  };
}
