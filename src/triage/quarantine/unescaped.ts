/**
 * How many levels of escapes are decoded before the folded text is searched: `%2541` is `%41` is `A`. The other readings decode
 * one more level.
 */
export const MAX_UNESCAPES = 3;

const ESCAPED =
  /(?:%(?:25){0,30}|\b0x)([0-9a-f]{2})|&(?:amp;){0,30}#0{0,30}(\d{1,7});?|&(?:amp;){0,30}#x0{0,30}([0-9a-f]{1,6});?|\\x([0-9a-f]{2})|\\(?:u0000|u)([0-9a-f]{4})|\\u\{0{0,30}([0-9a-f]{1,6})\}|\\0?([0-3][0-7]{2})|\\([4-7][0-7])|\bu\+00([0-9a-f]{2})|\bcha?rw?[ (]{1,2}(\d{1,3})\)?|\\[nrtbfv]/gi;

/**
 * Returns the text after decoding one level of URL, HTML, JSON, JavaScript and shell escapes, of `U+0041`, and of calls such as
 * `chr(65)`.
 */
export function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (source, ...found: (string | undefined)[]) => {
    // An escaped white-space character, as in JSON and shells.
    if (source.length === 2) return " ";
    const [url, entity, hex, x, u, braced, octal, shortOctal, point, call] = found;
    const hexadecimal = url ?? hex ?? x ?? u ?? braced ?? point;
    const octals = octal ?? shortOctal;
    const code =
      hexadecimal !== undefined
        ? Number.parseInt(hexadecimal, 16)
        : octals === undefined
          ? Number(entity ?? call)
          : Number.parseInt(octals, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : source;
  });
}
