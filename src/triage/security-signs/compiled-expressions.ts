/** V8 makes machine code of an expression at its first use when the text has at least so many characters. */
const BLANKS = " ".repeat(1_000);

const compiled = new WeakSet<RegExp>();

/**
 * Whether one of the patterns, none of which has the flag `g` or `y`, matches the text. The first use of each is on blanks, so
 * that V8 skips the bytecode that it makes for shorter texts: for long alternatives that takes longer than machine code.
 */
export function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => {
    if (!compiled.has(pattern)) {
      compiled.add(pattern);
      pattern.test(BLANKS);
    }
    return pattern.test(text);
  });
}
