import { once } from "node:events";

/**
 * Leaves the alternate screen (the cursor is kept before, because that restores it also on the normal screen); ends margins,
 * origin mode, insert mode, charsets and styles by a soft reset, and by themselves what not every terminal ends with that;
 * shows the cursor in its own shape; ends mouse and bracketed paste.
 */
export const RESET_TERMINAL =
  "\x1b7\x1b[?1049l\x1b[!p\x1b[4l\x1b[20l\x1b[?5l\x1b[?7h\x1b[?8h\x1b[?45l\x1b(B\x0f\x1b[0 q\x1b[?25h\x1b[0m" +
  "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\r\n";

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
