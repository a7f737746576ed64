import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TOKENS = join(import.meta.dirname, "../../src/board/page/style/tokens.css");

/** Name → the colour in the light theme and in the dark theme. */
const colours = new Map(
  [...readFileSync(TOKENS, "utf8").matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, [light, dark] as const],
  ),
);

/** Returns WCAG 2.2's relative luminance. */
function luminance(colour: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the themes in which the pair is below the ratio. */
function tooFaint(name: string, ground: string, ratio: number): string[] {
  return [0, 1].flatMap((theme) => {
    const found = contrast(
      colours.get(name)?.[theme] ?? "#000000",
      colours.get(ground)?.[theme] ?? "#000000",
    );
    return found < ratio
      ? [`${name} on ${ground}, ${theme === 0 ? "light" : "dark"}: ${found.toFixed(2)}`]
      : [];
  });
}

test("text of every tone has enough contrast on its background, in light and dark (WCAG AA)", () => {
  const grounds = ["page", "surface", "raised", "hover"];
  const text = ["text", "muted", "accent", "good", "warn", "bad"].flatMap((name) =>
    grounds.flatMap((ground) => tooFaint(name, ground, 4.5)),
  );
  const chips = ["accent", "good", "warn", "bad"].flatMap((name) => tooFaint(name, `${name}-soft`, 4.5));
  expect([...text, ...chips, ...tooFaint("muted", "quiet-soft", 4.5)]).toEqual([]);
});

test("shapes whose colour carries meaning have enough contrast: dots, plot series, field borders", () => {
  const shapes = [...colours.keys()].filter((name) => /^(?:dot|series|field)/.test(name));
  expect(shapes.length).toBeGreaterThan(10);
  expect(shapes.flatMap((name) => tooFaint(name, "surface", 3))).toEqual([]);
});
