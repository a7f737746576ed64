import { invalidInput } from "./engine-error.ts";

/** How the program wants mouse events to be reported; "classic" is the encoding before SGR coordinates. */
export type MouseReporting = "none" | "classic" | "sgr";

type MouseEvent = { button: number; phases: readonly ("press" | "release")[] };

const MOTION = 32;

const MOUSE_EVENTS: Readonly<Record<string, MouseEvent>> = {
  MouseClick: { button: 0, phases: ["press", "release"] },
  MouseMiddleClick: { button: 1, phases: ["press", "release"] },
  MouseRightClick: { button: 2, phases: ["press", "release"] },
  MousePress: { button: 0, phases: ["press"] },
  MouseRelease: { button: 0, phases: ["release"] },
  MouseDrag: { button: MOTION, phases: ["press"] },
  MouseMove: { button: MOTION + 3, phases: ["press"] },
  MouseWheelUp: { button: 64, phases: ["press"] },
  MouseWheelDown: { button: 65, phases: ["press"] },
};

export const MOUSE_NAMES: readonly string[] = Object.keys(MOUSE_EVENTS).map((name) => `${name}@ROW,COL`);

/**
 * Returns the bytes of a mouse key such as `MouseClick@3,10`, or null if the key is not a mouse key. Row and column count from 0,
 * as in snapshots. Throws INVALID_INPUT if the program has not enabled mouse reporting.
 */
export function encodeMouse(key: string, reporting: MouseReporting): string | null {
  const [, name = "", row, col] = /^(Mouse[A-Za-z]+)@(\d{1,4}),(\d{1,4})$/.exec(key) ?? [];
  const event = MOUSE_EVENTS[name];
  if (event === undefined) return null;
  if (reporting === "none") {
    throw invalidInput(
      `cannot send ${key}: the program has not enabled mouse reporting`,
      "use the program's keys, or wait until it has started its mouse mode",
    );
  }
  const [x, y] = [Number(col) + 1, Number(row) + 1];
  return event.phases.map((phase) => encodePhase(event.button, phase, x, y, reporting)).join("");
}

function encodePhase(
  button: number,
  phase: "press" | "release",
  x: number,
  y: number,
  reporting: "classic" | "sgr",
): string {
  if (reporting === "sgr") return `\x1b[<${button};${x};${y}${phase === "press" ? "M" : "m"}`;
  const code = phase === "press" ? button : 3;
  const places = [code + 32, x + 32, y + 32];
  if (places.some((place) => place > 126)) {
    throw invalidInput(
      `cannot send the mouse at column ${x - 1} and row ${y - 1}: the program enabled the classic mouse encoding, which ends at column and row 93`,
      "click nearer to the top left, or let the program ask for SGR coordinates (mode 1006)",
    );
  }
  return `\x1b[M${String.fromCharCode(...places)}`;
}
