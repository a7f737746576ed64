/**
 * Gives the signal that ends a command early. From the first call on, SIGINT and SIGTERM abort it once instead of ending the
 * process. They end a command at once that does not call it, because it could only continue to its end.
 */
export type StopSignal = () => AbortSignal;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/** `exitCode` gives the exit code for the signal that came; null: none did. */
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
