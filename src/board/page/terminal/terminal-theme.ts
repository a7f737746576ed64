import type { ITheme } from "@xterm/xterm";

/** The colours of the engine's screenshots. Programs expect a dark terminal, so it is dark even on a light page. */
export const terminalTheme: ITheme = {
  background: "#16181d",
  foreground: "#dfe2e7",
  cursor: "#dfe2e7",
  cursorAccent: "#16181d",
  scrollbarSliderBackground: "#ffffff14",
  scrollbarSliderHoverBackground: "#ffffff2e",
  scrollbarSliderActiveBackground: "#ffffff40",
  selectionBackground: "#3a4a6b",
  black: "#2b2f38",
  red: "#e5534b",
  green: "#57ab5a",
  yellow: "#d5a038",
  blue: "#539bf5",
  magenta: "#b083f0",
  cyan: "#39b8c6",
  white: "#c3c8d0",
  brightBlack: "#6b7280",
  brightRed: "#ff7b72",
  brightGreen: "#7ee787",
  brightYellow: "#f2cc60",
  brightBlue: "#79c0ff",
  brightMagenta: "#d2a8ff",
  brightCyan: "#76e3ea",
  brightWhite: "#ffffff",
};

export const terminalFont =
  'ui-monospace, "SF Mono", Menlo, "Cascadia Mono", "DejaVu Sans Mono", Consolas, "Liberation Mono", monospace';
