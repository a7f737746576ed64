/**
 * Returns a number with its noun, whose plural takes an s.
 * @example
 * countOf(1, "Session") // => "1 Session"
 */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
