/**
 * Returns JSON text that is safe to print (S10): it contains no invisible characters, no characters that a terminal acts on, and no
 * `##[`, which an Actions runner takes as a command anywhere in a line. All of them can occur only inside strings, where they are
 * written as JSON escapes.
 */
export function inertJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .replaceAll("##[", String.raw`#\u0023[`)
    .replaceAll(/[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu, (character) =>
      character.split("").map(escaped).join(""),
    );
}

function escaped(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0");
}
