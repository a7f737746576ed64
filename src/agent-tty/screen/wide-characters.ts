import { createRequire } from "node:module";
import type { Terminal } from "@xterm/headless";

const require = createRequire(import.meta.url);
const VERSION = "15-graphemes";
/** The emulator's packed value for: no cluster state, one column, joined to nothing. */
const PLAIN_NARROW = 2;
const CLUSTER_SHIFT = 3;

type WidthTable = Parameters<Terminal["unicode"]["register"]>[0];

/**
 * Installs the widths of Unicode 15 with grapheme clusters, which current programs use; the emulator's own tables are older than
 * emoji. The table is loaded when the first character needs it, because many Sessions show only ASCII.
 */
export function useWideCharacters(terminal: Terminal): void {
  terminal.unicode.register({
    version: VERSION,
    charProperties: (codepoint, preceding) =>
      isPlain(codepoint) && preceding >> CLUSTER_SHIFT === 0
        ? PLAIN_NARROW
        : wideTable().charProperties(codepoint, preceding),
    wcwidth: (codepoint) => (isPlain(codepoint) ? 1 : wideTable().wcwidth(codepoint)),
  });
  terminal.unicode.activeVersion = VERSION;
}

function isPlain(codepoint: number): boolean {
  return codepoint >= 0x20 && codepoint < 0x7f;
}

let loaded: WidthTable | null = null;

function wideTable(): WidthTable {
  loaded ??= loadTable();
  return loaded;
}

/**
 * Returns the width table of the package. The package only passes its tables to a terminal, so a stand-in for the terminal
 * collects what it registers.
 */
function loadTable(): WidthTable {
  const { UnicodeGraphemesAddon } = unpooled(
    () => require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes"),
  );
  const tables: WidthTable[] = [];
  const unicode = { register: (table: WidthTable) => tables.push(table), activeVersion: "" };
  const addon = new UnicodeGraphemesAddon();
  addon.activate({ unicode } as unknown as Parameters<typeof addon.activate>[0]);
  const table = tables.find(({ version }) => version === VERSION);
  if (table === undefined) throw new Error(`@xterm/addon-unicode-graphemes has no table named ${VERSION}`);
  return table;
}

/**
 * Runs `load` without the pool of Buffer. The package reads its table from the start of the memory behind a Buffer, so that
 * Buffer must not come from a pool.
 */
function unpooled<T>(load: () => T): T {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return load();
  } finally {
    Buffer.poolSize = poolSize;
  }
}
