/**
 * JSON text that is safe to print (S10): nothing in it that a terminal acts on, and no `##[`, which an Actions runner
 * takes as a command anywhere in a line. Both can stand inside strings only, where JSON can write them otherwise.
 */
export function inertJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .replaceAll("##[", String.raw`#\u0023[`)
    .replaceAll(
      /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
      (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
    );
}
