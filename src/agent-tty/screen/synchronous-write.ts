import type { Terminal } from "@xterm/headless";

type Core = { writeSync?(data: Uint8Array): void };

/**
 * The emulator's public `write` renders later, from a timer of its own: the child waits meanwhile, and what a sequence
 * shows is known only afterwards. Its synchronous write is safe as long as no parser handler returns a promise; none here does.
 * It is not public: the version of @xterm/headless is pinned for it.
 */
export function synchronousWrite(terminal: Terminal): (bytes: Uint8Array) => void {
  const { _core: core } = terminal as unknown as { _core?: Core };
  if (core?.writeSync === undefined) throw new Error("this @xterm/headless has no synchronous write");
  return core.writeSync.bind(core);
}
