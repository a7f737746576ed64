/** Control characters (C0, DEL, C1), and format characters such as the bidirectional ones that reorder what is read. */
const ACTIVE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** S10: names, paths and messages come from programs and files: what could act on a terminal is shown, not obeyed. */
export function inert(text: string): string {
  return text.replaceAll(ACTIVE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON of the same value in which every such character is escaped; JSON itself leaves those above U+001F as they are. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(ACTIVE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
