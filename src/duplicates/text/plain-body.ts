/** At most this many characters of a body are read. Text after them is usually logs. */
const MAX_BODY_CHARACTERS = 8_192;

const MARKUP =
  /\{(?:html|noformat|quote|code(?::[^}\n]{0,80})?)\}|<!--[\s\S]{0,2000}?-->|<\/?[a-z][^>\n]{0,300}>|&(?:lt|gt|amp|quot|nbsp|#\d{1,6});/gi;

/** Returns the first 8,192 characters of an issue's text without HTML tags, comments and tracker markup. */
export function plainBody(text: string): string {
  return text.slice(0, MAX_BODY_CHARACTERS).replaceAll(MARKUP, " ");
}
