import type { CellColor } from "../screen/index.ts";

/** `#rrggbb`. */
export type Rgb = `#${string}`;

export type ThemeName = "dark" | "light";

export interface Theme {
  background: Rgb;
  foreground: Rgb;
  cursor: Rgb;
  /** The 16 colours in the order of SGR 30–37, 90–97. */
  ansi: readonly Rgb[];
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    background: "#16181d",
    foreground: "#dfe2e7",
    cursor: "#dfe2e7",
    ansi: [
      "#2b2f38",
      "#e5534b",
      "#57ab5a",
      "#d5a038",
      "#539bf5",
      "#b083f0",
      "#39b8c6",
      "#c3c8d0",
      "#6b7280",
      "#ff7b72",
      "#7ee787",
      "#f2cc60",
      "#79c0ff",
      "#d2a8ff",
      "#76e3ea",
      "#ffffff",
    ],
  },
  light: {
    background: "#ffffff",
    foreground: "#24292f",
    cursor: "#24292f",
    ansi: [
      "#24292f",
      "#cf222e",
      "#116329",
      "#7d4e00",
      "#0969da",
      "#8250df",
      "#1b7c83",
      "#6e7781",
      "#57606a",
      "#a40e26",
      "#1a7f37",
      "#9a6700",
      "#218bff",
      "#a475f9",
      "#3192aa",
      "#b3bac2",
    ],
  },
};

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** Returns a cell's colour as `#rrggbb`; the default colour becomes `fallback`. */
export function resolveColor(color: CellColor, theme: Theme, fallback: Rgb): Rgb {
  if (color === "default") return fallback;
  if (typeof color === "string") return color;
  return theme.ansi[color] ?? extendedColor(color);
}

/** Returns the colour halfway from `color` to `towards`. */
export function blend(color: Rgb, towards: Rgb): Rgb {
  const [from, to] = [channels(color), channels(towards)];
  return hex(from.map((channel, index) => Math.round((channel + (to[index] ?? channel)) / 2)));
}

/** Returns red, green and blue of a `#rrggbb` colour, each from 0 to 255. */
export function channels(color: Rgb): number[] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

/** Returns one of the colours 16–255: a cube of 6 × 6 × 6, then 24 greys. */
function extendedColor(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex([grey, grey, grey]);
  }
  const cube = index - 16;
  return hex(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => CUBE_LEVELS[level] ?? 0),
  );
}

function hex(values: readonly number[]): Rgb {
  return `#${values.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
