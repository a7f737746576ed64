import { remember } from "./memory.ts";

/**
 * Returns the boolean that most calls of a function returned; `tie` if both were returned equally often. If all calls return it,
 * a script that filters a list of inputs finds none.
 */
export function usualAnswer(by: string | undefined, tie: boolean): boolean {
  const name = by?.slice(0, by.indexOf("#") + 1) ?? "";
  const all = [...remember()].flatMap(([call, shape]) =>
    name !== "" && call.startsWith(name) && call.includes("[") && shape?.t === "boolean" ? [shape.v] : [],
  );
  const yes = all.filter(Boolean).length;
  return yes * 2 === all.length ? tie : yes * 2 > all.length;
}
