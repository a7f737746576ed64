import { once } from "node:events";

/**
 * Leaves the alternate screen (the cursor is saved before, because leaving restores it on the normal screen, too); ends margins,
 * origin mode, insert mode, charsets and styles with a soft reset, and ends separately the modes that some terminals keep after a
 * soft reset; shows the cursor in its default shape; ends mouse reporting and bracketed paste.
 */
export const RESET_TERMINAL =
  "\x1b7\x1b[?1049l\x1b[!p\x1b[4l\x1b[20l\x1b[?5l\x1b[?7h\x1b[?8h\x1b[?45l\x1b(B\x0f\x1b[0 q\x1b[?25h\x1b[0m" +
  "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\r\n";

const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Puts the terminal into raw mode, which passes every key on unprocessed, until disposed. The terminal is restored on disposal,
 * when the process exits, and on signals, which first call `onSignal`.
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

/** Writes to the terminal; resolves when it accepts more. */
export async function writeTerminal(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}
