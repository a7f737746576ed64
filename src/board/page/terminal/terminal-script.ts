import { TerminalScreen } from "./terminal-screen.ts";

// This is a separate script, because it is two thirds of the page; it is loaded with the first terminal (B12).
window.afkTriageTerminal?.(TerminalScreen);
