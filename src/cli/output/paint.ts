/** The meaning of a piece of text. The words carry the meaning, too; colour only repeats it. */
export type Tone = "good" | "bad" | "attention" | "quiet" | "strong" | "plain";

export type Paint = (tone: Tone, text: string) => string;

/** Colours of the terminal's own palette that are readable on black and on white: no yellow, no white, no bright black. */
const CODES: Record<Tone, readonly [on: string, off: string]> = {
  good: ["32", "39"],
  bad: ["31", "39"],
  attention: ["35", "39"],
  quiet: ["2", "22"],
  strong: ["1", "22"],
  plain: ["", ""],
};

/** Returns a function that wraps text in the escape sequences of its tone, or returns it unchanged if `isColoured` is false. */
export function createPaint(isColoured: boolean): Paint {
  return (tone, text) => {
    const [on, off] = CODES[tone];
    return !isColoured || on === "" ? text : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/**
 * Returns whether output is coloured. FORCE_COLOR takes precedence over NO_COLOR, as in Node; either one counts when it is set
 * and not empty. Without them, a terminal that is not `dumb` is coloured.
 */
export function usesColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}
