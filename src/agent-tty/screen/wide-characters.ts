import { createRequire } from "node:module";
import type { Terminal } from "@xterm/headless";

const require = createRequire(import.meta.url);

/** Widths of Unicode 15 with grapheme clusters, as today's programs count them: the emulator's own tables end before emoji. */
export function useWideCharacters(terminal: Terminal): void {
  const { UnicodeGraphemesAddon } = unpooled(
    () => require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes"),
  );
  terminal.loadAddon(new UnicodeGraphemesAddon());
}

/** The package reads its table from the start of the memory behind a Buffer, so that Buffer must not share a pool. */
function unpooled<T>(load: () => T): T {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return load();
  } finally {
    Buffer.poolSize = poolSize;
  }
}
