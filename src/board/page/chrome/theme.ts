import { effect, signal } from "@preact/signals";
import { remembered } from "../browser/index.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const memory = remembered("theme");

export const theme = signal<Theme>(themes.find((name) => name === memory.read()) ?? "system");

/** Switches to the next colour theme and remembers it. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system";
  memory.write(theme.value);
}

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});
