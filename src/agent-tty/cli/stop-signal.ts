/**
 * Returns the signal that ends a command early. After the first call, the first SIGINT or SIGTERM aborts that signal instead of
 * ending the process. If a command never calls this function, SIGINT and SIGTERM end the process at once, because the command
 * could not react to them.
 */
export type StopSignal = () => AbortSignal;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/**
 * Prepares the handling of SIGINT and SIGTERM for one command. `exitCode` returns the exit code for the signal that arrived, or
 * null if none has.
 */
export function stopOnSignals(stopped: AbortController): {
  signal: StopSignal;
  exitCode: () => number | null;
} {
  let exitCode: number | null = null;
  let isHeeded = false;
  const heed = (): void => {
    isHeeded = true;
    for (const [signal, code] of Object.entries(EXIT_CODES))
      process.once(signal, () => {
        exitCode ??= code;
        stopped.abort();
      });
  };
  const signal = (): AbortSignal => {
    if (!isHeeded) heed();
    return stopped.signal;
  };
  return { signal, exitCode: () => exitCode };
}
