import { CELL_HEIGHT, CELL_WIDTH } from "./cell-size.ts";
import type { Rule } from "./picture.ts";

const UNDERLINE_Y = 18.5;
const STRIKE_Y = 11.5;
const CURL_HEIGHT = 1.5;

/** Returns a rule as SVG path data, measured from the top left corner of its line. */
export function rulePath({ col, span, kind }: Rule): { path: string; lineWidth: number } {
  const [from, to] = [col * CELL_WIDTH, (col + span) * CELL_WIDTH];
  const straight = (y: number): string => `M${from} ${y}H${to}`;
  switch (kind) {
    case "underline-single":
      return { path: straight(UNDERLINE_Y), lineWidth: 1 };
    case "underline-double":
      return { path: straight(UNDERLINE_Y - 2) + straight(UNDERLINE_Y), lineWidth: 1 };
    case "underline-curly":
      return { path: curl(from, to), lineWidth: 1 };
    case "underline-dotted":
      return { path: broken(from, to, { dash: 1, step: 2 }), lineWidth: 1 };
    case "underline-dashed":
      return { path: broken(from, to, { dash: 3, step: 5 }), lineWidth: 1 };
    case "strikethrough":
      return { path: straight(STRIKE_Y), lineWidth: 1 };
    case "overline":
      return { path: straight(0.5), lineWidth: 1 };
    case "cursor-underline":
      return { path: straight(CELL_HEIGHT - 1), lineWidth: 2 };
    case "cursor-bar":
      return { path: `M${from + 1} 0V${CELL_HEIGHT}`, lineWidth: 2 };
    default:
      return kind satisfies never;
  }
}

function broken(from: number, to: number, { dash, step }: { dash: number; step: number }): string {
  return Array.from(
    { length: Math.ceil((to - from) / step) },
    (_, index) => `M${from + index * step} ${UNDERLINE_Y}h${dash}`,
  ).join("");
}

function curl(from: number, to: number): string {
  const half = CELL_WIDTH / 4;
  const waves = Array.from(
    { length: (to - from) / (2 * half) },
    () => `q${half / 2} ${-CURL_HEIGHT * 2} ${half} 0t${half} 0`,
  );
  return `M${from} ${UNDERLINE_Y - 1}${waves.join("")}`;
}
