const UNIT_BYTES = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/**
 * Reads `500MiB` or `4GiB` as bytes; null when the text is not a size.
 * @example
 * parseByteSize("4GiB") // => 4294967296
 * parseByteSize("4 apples") // => null
 */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,6})(KiB|MiB|GiB|TiB)$/.exec(text.trim());
  if (match === null) return null;
  const bytes = Number(match[1]) * UNIT_BYTES[match[2] as keyof typeof UNIT_BYTES];
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null;
}

/**
 * Formats a size in bytes as in the config file, rounded down to a whole unit: `4294967296` → `4GiB`.
 * @example
 * writeByteSize(4_294_967_296) // => "4GiB"
 */
export function writeByteSize(bytes: number): string {
  const fitting = Object.entries(UNIT_BYTES).filter(([, unit]) => bytes >= unit && bytes % unit === 0);
  const [unit, unitBytes] = fitting.at(-1) ?? ["KiB", 1024];
  return `${Math.floor(bytes / unitBytes)}${unit}`;
}

/**
 * Writes bytes for people, with one decimal.
 * @example
 * showByteSize(1_503_238_553) // => "1.4 GiB"
 */
export function showByteSize(bytes: number): string {
  const fitting = Object.entries(UNIT_BYTES).filter(([, unit]) => bytes >= unit);
  const [unit, unitBytes] = fitting.at(-1) ?? ["KiB", 1024];
  return `${(bytes / unitBytes).toFixed(1)} ${unit}`;
}
