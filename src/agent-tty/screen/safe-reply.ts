/**
 * The only answers to terminal queries that may reach the child's input (S10). They are fixed texts, and patterns that contain
 * only numbers, so that a program's output cannot choose what is typed. Titles, clipboard and selection are never reported.
 */
const SAFE_REPLIES: readonly RegExp[] = [
  // Device attributes, primary and secondary.
  /^\x1b\[[?>]\d{1,3}(?:;\d{1,5}){0,12}c$/,
  // Device status "ready", and cursor position (with page, for the DEC form).
  /^\x1b\[0n$/,
  /^\x1b\[\??\d{1,5};\d{1,5}(?:;\d)?R$/,
  // Mode reports (DECRPM).
  /^\x1b\[\??\d{1,5};[0-4]\$y$/,
  // Size in characters.
  /^\x1b\[8;\d{1,4};\d{1,4}t$/,
];

/**
 * Returns whether the emulator's reply to a query matches an allowed pattern, so that it cannot act as typed text.
 */
export function isSafeReply(reply: string): boolean {
  return SAFE_REPLIES.some((shape) => shape.test(reply));
}
