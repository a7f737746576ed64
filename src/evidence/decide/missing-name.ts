const SAID: readonly RegExp[] = [
  /\b(?:[\w$]+(?:\([^)]*\))?\.)*([\w$]+) is not a (?:function|constructor)/,
  /does not provide an export named '([\w$]+)'/,
  /has no attribute '(\w+)'/,
  /cannot import name '(\w+)'/,
  /undefined method [`'](\w+)'/,
  /Package subpath '\.\/([^']+)' is not defined by "exports"/,
];

/** The name of what a failing script used and the product did not have, as the run times of languages tell it; null: none. */
export function missingName(output: string): string | null {
  for (const pattern of SAID) {
    const name = pattern.exec(output)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}
