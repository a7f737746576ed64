const GRAM_CHARACTERS = 4;

/** Returns the character 4-grams of a title, which still match if words are misspelt, joined or inflected. */
export function titleGrams(title: string): Set<string> {
  const text = ` ${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
  const grams = new Set<string>();
  for (let at = 0; at + GRAM_CHARACTERS <= text.length; at += 1)
    grams.add(text.slice(at, at + GRAM_CHARACTERS));
  return grams;
}
