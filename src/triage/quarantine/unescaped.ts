/** Taken apart no more often than this: `%2541` is `%41` is `A`. */
export const MAX_UNESCAPES = 3;

const ESCAPED =
  /(?:%(?:25){0,30}|\b0x)([0-9a-f]{2})|&(?:amp;){0,30}#0{0,30}(\d{1,7});?|&(?:amp;){0,30}#x0{0,30}([0-9a-f]{1,6});?|\\x([0-9a-f]{2})|\\(?:u0000|u)([0-9a-f]{4})|\\u\{0{0,30}([0-9a-f]{1,6})\}|\\0?([0-3][0-7]{2})|\\[nrtbfv]/gi;

/** One level of URL, HTML, JSON, JavaScript and shell escapes taken away. */
export function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (source, url, decimal, hex, x, u, braced, octal) => {
    // A line end, as JSON and shells write it.
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
