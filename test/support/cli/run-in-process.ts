import pLimit from "p-limit";
import { vi } from "vitest";
import { runProgram } from "../../../src/cli/program.ts";

export interface Ended {
  exitCode?: number | undefined;
  stdout: string;
  stderr: string;
}

/** Calls run one at a time, because the program's variables and directory belong to the whole process. */
const oneAtATime = pLimit(1);

/**
 * Runs `afk-triage` in the test's own process: argument parsing, commands, output and exit codes, without starting a program.
 * Tests of the process itself (its end, signals, closed pipes, terminals, the bundle) need the built program.
 */
export function runInProcess(
  args: readonly string[],
  place: { cwd: string; env: Readonly<Record<string, string>>; terminalColumns?: number },
): Promise<Ended> {
  return oneAtATime(async () => {
    const columns = place.terminalColumns ?? null;
    const [stdout, stderr] = [collected(process.stdout, columns), collected(process.stderr, columns)];
    const [environment, directory] = [{ ...process.env }, process.cwd()];
    setEnvironment(place.env);
    process.chdir(place.cwd);
    try {
      const exitCode = await runProgram(args);
      return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.chdir(directory);
      setEnvironment(environment);
      stdout[Symbol.dispose]();
      stderr[Symbol.dispose]();
    }
  });
}

/**
 * Changes the variables in place, because Node itself reads the process's variables and ignores an object assigned to
 * `process.env`.
 */
function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}

/**
 * Collects a stream's output without the last line end, as execa does. `columns`: the width of the terminal; null if the stream
 * is not a terminal.
 */
function collected(stream: NodeJS.WriteStream, columns: number | null): Disposable & { text: () => string } {
  let text = "";
  const before = { isTTY: stream.isTTY, columns: stream.columns };
  Object.assign(stream, { isTTY: columns !== null, columns: columns ?? undefined });
  const listeners = stream.listeners("error");
  const write = vi.spyOn(stream, "write").mockImplementation((chunk, encoding, written) => {
    text += String(chunk);
    const done = typeof encoding === "function" ? encoding : written;
    done?.();
    return true;
  });
  return {
    text: () => text.replace(/\n$/, ""),
    [Symbol.dispose]: () => {
      write.mockRestore();
      Object.assign(stream, before);
      for (const listener of stream.listeners("error"))
        if (!listeners.includes(listener)) stream.off("error", listener as () => void);
    },
  };
}
