/** Control characters (C0, DEL, C1), and format characters such as the bidirectional ones, which reorder displayed text. */
const ACTIVE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Returns the text with every character escaped that could act on a terminal (S10). Names, paths and messages come from programs
 * and files, so they may contain control sequences.
 */
export function inert(text: string): string {
  return text.replaceAll(ACTIVE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Returns the JSON of a value in which all control and format characters are escaped. JSON itself escapes only those up to
 * U+001F.
 */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(ACTIVE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
