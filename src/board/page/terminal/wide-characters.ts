/**
 * Matches every character except Latin, Greek, Cyrillic, punctuation, arrows, boxes and symbols (without emoji, combining and
 * formatting characters), whose widths are the same in the emulator's own table as in Unicode 15 with grapheme clusters.
 */
const OTHERS =
  // oxlint-disable-next-line no-control-regex -- controls have no width in either table
  /[^\u0000-\u02ff\u0370-\u0482\u048a-\u052f\u2000-\u2bff]|\p{Emoji_Presentation}|\p{Cf}|\p{M}/u;

/** Returns whether a text contains a character whose width the emulator's own table may lack. */
export function needsWideCharacters(text: string): boolean {
  return OTHERS.test(text);
}
