/** The limit of Unicode's Stream-Safe Text Format (UAX 15), which is above the number of marks on a letter in any language. */
const MAX_MARKS = 30;
/**
 * Matches the marks beyond the limit. The half-width Katakana sound marks (U+FF9E, U+FF9F) are letters, but normalisation turns
 * them into marks.
 */
const SURPLUS_MARKS = new RegExp(`([\\p{M}\\uFF9E\\uFF9F]{${MAX_MARKS}})[\\p{M}\\uFF9E\\uFF9F]+`, "gu");

/**
 * Returns a stranger's text in a compatibility form of Unicode, with at most 30 marks in a row: the time to sort the marks of one
 * letter grows with the square of their number.
 */
export function normalisedText(text: string, form: "NFKC" | "NFKD"): string {
  return text.replaceAll(SURPLUS_MARKS, "$1").normalize(form);
}
