/**
 * Returns `text` quoted as one word of a POSIX shell command line. Throws for a NUL byte, which cannot be passed to a program at
 * all.
 * @example
 * shellQuote("it is") // => "'it is'"
 */
export function shellQuote(text: string): string {
  if (text.includes("\0")) throw new Error("a shell word cannot contain a NUL byte");
  return /^[A-Za-z0-9_/.:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
