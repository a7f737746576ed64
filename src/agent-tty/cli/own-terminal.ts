import { once } from "node:events";

/** Leaves the alternate screen, shows the cursor, ends styles, mouse and bracketed paste. */
export const RESET_TERMINAL =
  "\x1b[?1049l\x1b[?25h\x1b[0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\r\n";

const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Every key as it is, until disposed. The terminal is given back on every way out: disposal, the process's exit, and
 * signals, which first call `onSignal`.
 */
export function enterRawMode(onSignal: () => void): Disposable {
  let isRaw = true;
  const restore = (): void => {
    if (!isRaw) return;
    isRaw = false;
    process.stdin.setRawMode(false);
    process.stdout.write(RESET_TERMINAL);
  };
  process.stdin.setRawMode(true);
  process.on("exit", restore);
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  return {
    [Symbol.dispose]: () => {
      restore();
      process.off("exit", restore);
      for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
    },
  };
}

/** Resolves when the terminal takes more. */
export async function writeTerminal(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}
