import type { SessionExit } from "../home/index.ts";

/**
 * Returns how a Session ended, for people.
 *
 * @example
 * exitText({ type: "code", code: 3 }) // => "with code 3"
 */
export function exitText(exit: SessionExit): string {
  return exit.type === "code" ? `with code ${exit.code}` : `by ${exit.signal}`;
}
