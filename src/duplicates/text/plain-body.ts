/** Longest body that is read, in characters: what follows it in an issue is logs. */
const MAX_BODY_CHARACTERS = 8_192;

const MARKUP =
  /\{(?:html|noformat|quote|code(?::[^}\n]{0,80})?)\}|<!--[\s\S]{0,2000}?-->|<\/?[a-z][^>\n]{0,300}>|&(?:lt|gt|amp|quot|nbsp|#\d{1,6});/gi;

/** The words of an issue's text without HTML tags, comments and tracker markup. Bounded. */
export function plainBody(text: string): string {
  return text.slice(0, MAX_BODY_CHARACTERS).replaceAll(MARKUP, " ");
}
