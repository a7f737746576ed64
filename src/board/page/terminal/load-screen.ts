import { loadScript } from "../browser/index.ts";
import { BoardFailure } from "../data/index.ts";
import type { TerminalScreen } from "./terminal-screen.ts";

export type ScreenClass = typeof TerminalScreen;

declare global {
  interface Window {
    /** Called by the script of terminals with what it defines. */
    afkTriageTerminal?: (screen: ScreenClass) => void;
  }
}

let loading: Promise<ScreenClass> | null = null;

/** Loads the script of terminals once. A failed attempt is not kept: the next call tries again. */
export function loadScreen(): Promise<ScreenClass> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<ScreenClass> {
  let found: ScreenClass | null = null;
  window.afkTriageTerminal = (screen) => void (found = screen);
  const source = document.querySelector<HTMLLinkElement>("#terminal-script")?.getAttribute("href");
  await loadScript(source ?? "terminal.js").catch(() => undefined);
  if (found !== null) return found;
  throw new BoardFailure({
    code: "PAGE_INCOMPLETE",
    message: "The page's script of terminals could not be loaded.",
    remedy: "Reload the page. A report needs all files of its directory.",
  });
}
