/** 2.1.197 spins braille in the title, 2.1.329 half circles; both show `✳` otherwise. Older versions set none. */
export type TitleWord = "working" | "idle" | "none";

const WORKING = /^[\u2801-\u28ff◐◑◒◓] /u;
const IDLE = /^✳(?: |$)/u;

export function readTitle(title: string): TitleWord {
  if (WORKING.test(title)) return "working";
  return IDLE.test(title) ? "idle" : "none";
}
