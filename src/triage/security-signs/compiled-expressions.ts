/** From this length of a text on, V8 makes machine code of an expression at its first use (V8 11, `kTierUpForSubjectLengthValue`). */
const BLANKS = " ".repeat(1_000);

const compiled = new WeakSet<RegExp>();

/**
 * Whether the pattern, which has no flag `g` or `y`, matches the text. By default V8 makes bytecode of an expression first, and machine
 * code at the second use; for long alternatives the optimizer of bytecode takes longer than the compiler, so that it is passed over.
 */
export function matches(pattern: RegExp, text: string): boolean {
  if (!compiled.has(pattern)) {
    compiled.add(pattern);
    pattern.test(BLANKS);
  }
  return pattern.test(text);
}
