const MAX_CHARACTERS = 1_000;
const OMITTED = " … ";
/** The part of a long heading that its beginning may take: title and question, or title and file. */
const BEGINNING_CHARACTERS = 400;

/**
 * Returns the heading of a dialog, cut to a limited length. A long heading loses its middle, because title, question and notices
 * are at the two ends.
 */
export function dialogHeading(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const endCharacters = MAX_CHARACTERS - BEGINNING_CHARACTERS - OMITTED.length;
  return text.slice(0, BEGINNING_CHARACTERS) + OMITTED + text.slice(-endCharacters);
}
