/**
 * The state shown by the title: 2.1.197 spins braille characters, 2.1.329 half circles; both show `✳` otherwise.
 * Older versions set no title.
 */
export type TitleWord = "working" | "idle" | "none";

const WORKING = /^[\u2801-\u28ff◐◑◒◓] /u;
const IDLE = /^✳(?: |$)/u;

/** Reads the state from the window title. */
export function readTitle(title: string): TitleWord {
  if (WORKING.test(title)) return "working";
  return IDLE.test(title) ? "idle" : "none";
}
