import { TerminalScreen } from "./terminal-screen.ts";

// A script of its own, two thirds of the page: it is loaded with the first terminal (B12).
window.afkTriageTerminal?.(TerminalScreen);
