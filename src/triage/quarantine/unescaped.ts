/**
 * How many levels of escapes are decoded before the folded text is searched: `%2541` is `%41` is `A`. The other readings decode
 * one more level.
 */
export const MAX_UNESCAPES = 3;

const ESCAPED =
  /(?:%(?:25){0,30}|\b0x)([0-9a-f]{2})|&(?:amp;){0,30}#0{0,30}(\d{1,7});?|&(?:amp;){0,30}#x0{0,30}([0-9a-f]{1,6});?|\\x([0-9a-f]{2})|\\(?:u0000|u)([0-9a-f]{4})|\\u\{0{0,30}([0-9a-f]{1,6})\}|\\0?([0-3][0-7]{2})|\\[nrtbfv]/gi;

/** Decodes one level of URL, HTML, JSON, JavaScript and shell escapes. */
export function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (source, url, decimal, hex, x, u, braced, octal) => {
    // An escaped white-space character, as in JSON and shells.
    if (source.length === 2) return " ";
    const hexadecimal = (url ?? hex ?? x ?? u ?? braced) as string | undefined;
    const code =
      hexadecimal !== undefined
        ? Number.parseInt(hexadecimal, 16)
        : decimal === undefined
          ? Number.parseInt(String(octal), 8)
          : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : source;
  });
}
