/** Control characters (C0, DEL, C1), and format characters such as the bidirectional ones, which reorder displayed text. */
const ACTIVE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** S10: names, paths and messages come from programs and files, so characters that could act on a terminal are escaped. */
export function inert(text: string): string {
  return text.replaceAll(ACTIVE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Returns the JSON of a value with every such character escaped; JSON itself does not escape those above U+001F. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(ACTIVE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
