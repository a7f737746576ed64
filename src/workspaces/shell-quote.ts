/**
 * One word of a POSIX shell command line that means exactly `text`. A NUL byte cannot be passed to a program at all.
 * @example
 * shellQuote("it is") // => "'it is'"
 */
export function shellQuote(text: string): string {
  if (text.includes("\0")) throw new Error("a shell word cannot contain a NUL byte");
  return /^[A-Za-z0-9_/.:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
