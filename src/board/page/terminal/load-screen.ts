import type { ITerminalAddon } from "@xterm/xterm";
import { loadScript } from "../browser/index.ts";
import { BoardFailure } from "../data/index.ts";
import type { TerminalScreen } from "./terminal-screen.ts";

export type ScreenClass = typeof TerminalScreen;

declare global {
  interface Window {
    /** Called by the script of terminals with the class that it defines. */
    afkTriageTerminal?: (screen: ScreenClass) => void;
    /** Called by the script of wide characters with the addon that it defines. */
    afkTriageWideCharacters?: (addon: new () => ITerminalAddon) => void;
  }
}

/** Loads the script of terminals once. A failed attempt is not kept: the next call tries again. */
export const loadScreen = once<ScreenClass>("terminal", (receive) => (window.afkTriageTerminal = receive));

/** Loads, in the same way, the script with the widths of wide characters, which the emulator itself does not contain. */
export const loadWideCharacters = once<new () => ITerminalAddon>(
  "wide-characters",
  (receive) => (window.afkTriageWideCharacters = receive),
);

/**
 * Returns a function that loads a script once. The page names its scripts in links `#<name>-script`; a script passes its value to
 * the function that `expect` installs.
 */
function once<Value>(name: string, expect: (receive: (value: Value) => void) => void): () => Promise<Value> {
  let loading: Promise<Value> | null = null;
  const load = async (): Promise<Value> => {
    let found: { value: Value } | null = null as { value: Value } | null;
    expect((value) => void (found = { value }));
    const source = document.querySelector<HTMLLinkElement>(`#${name}-script`)?.getAttribute("href");
    await loadScript(source ?? `${name}.js`).catch(() => undefined);
    if (found !== null) return found.value;
    throw new BoardFailure({
      code: "PAGE_INCOMPLETE",
      message: `The page's script ${name}.js could not be loaded.`,
      remedy: "Reload the page. A report needs all files of its directory.",
    });
  };
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
