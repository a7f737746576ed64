/**
 * Kinds of characters that a reader does not see but a program does (S2). They are used to hide instructions, to reorder text on
 * screen, or to split words so that a filter misses them. A zero-width joiner between two emoji and a variation selector after an
 * emoji are parts of emoji, so they stay.
 */
export const invisibleKinds = ["control", "bidi", "tag", "zero-width"] as const;
export type InvisibleKind = (typeof invisibleKinds)[number];

const INVISIBLE =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{fff9}-\u{fffb}\u{2800}\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu;
const BIDI = /[\u{061c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;
const TAG = /[\u{e0000}-\u{e007f}]/u;
const CONTROL = /[\x00-\x1f\x7f-\x9f\p{Surrogate}]/u;
const EMOJI_JOINT = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Emoji}\u{fe0f})$/u;

/** Returns the text without invisible characters; `onRemoved` is called for each one. Tab and line feed stay. */
export function removeInvisible(
  text: string,
  onRemoved: (kind: InvisibleKind, character: string) => void = () => undefined,
): string {
  return text.replace(INVISIBLE, (character: string, offset: number) => {
    if (isPartOfEmoji(text, offset, character)) return character;
    onRemoved(kindOf(character), character);
    return "";
  });
}

/** Returns the text with visible text in place of bidirectional controls, e.g. `[U+202E]`: U+202E makes “evil” read “live”. */
export function showBidi(text: string): string {
  return text.replaceAll(
    new RegExp(BIDI, "gu"),
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** Returns the text that tag characters spell: they are ASCII characters, shifted into an invisible block. */
export function decodeTagCharacters(text: string): string {
  return text.replace(/[\u{e0020}-\u{e007e}]/gu, (character) =>
    String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000),
  );
}

function kindOf(character: string): InvisibleKind {
  if (CONTROL.test(character)) return "control";
  if (BIDI.test(character)) return "bidi";
  return TAG.test(character) ? "tag" : "zero-width";
}

function isPartOfEmoji(text: string, offset: number, character: string): boolean {
  const before = text.slice(Math.max(0, offset - 3), offset);
  const after = text.slice(offset + 1, offset + 3);
  switch (character) {
    case "\u{200d}":
      return EMOJI_JOINT.test(before) && /^\p{Extended_Pictographic}/u.test(after);
    case "\u{fe0f}":
    case "\u{fe0e}":
      return /[\p{Emoji}]$/u.test(before);
    default:
      return false;
  }
}
