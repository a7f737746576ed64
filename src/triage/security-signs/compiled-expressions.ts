/** V8 compiles an expression to machine code at its first use when the text has at least this many characters. */
const BLANKS = " ".repeat(1_000);

const compiled = new WeakSet<RegExp>();

/**
 * Returns whether one of the patterns, none of which has the flag `g` or `y`, matches the text. Each pattern is first used on
 * spaces, so that V8 skips the bytecode that it generates for shorter texts: for long alternatives bytecode takes longer to
 * generate than machine code.
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
