import type { Terminal } from "@xterm/headless";

/** The emulator publishes whether the mouse is reported, and not in which form; nearly every program asks for SGR. */
type MouseForm = { _core?: { coreMouseService?: { activeEncoding?: string } } };

export function mouseReporting(terminal: Terminal): "none" | "classic" | "sgr" {
  if (terminal.modes.mouseTrackingMode === "none") return "none";
  return (terminal as MouseForm)._core?.coreMouseService?.activeEncoding === "DEFAULT" ? "classic" : "sgr";
}
