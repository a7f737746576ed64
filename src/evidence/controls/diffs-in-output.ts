const MAX_SIDES = 4;
/** Matches the first line of a hunk, in the normal and in the unified format of `diff`. */
const HEAD = /^(?:\d+(?:,\d+)?[acd]\d+(?:,\d+)?|@@ -\d.*@@.*)$/m;
/** Matches a line of a hunk. In the unified format, context lines belong to both files. */
const LINE = /^(?:[<>] |[ +-])/;

/** Returns both sides of each hunk that `diff` printed: one side is the answer, the other one the expected text. */
export function diffsInOutput(output: string): string[] {
  const sides = hunksOf(output).flatMap((own) =>
    ["<- ", ">+ "].map((marks) => sideOf(own, marks).join("\n")),
  );
  return [...new Set(sides)].filter((side) => side !== "").slice(0, MAX_SIDES);
}

/**
 * Returns each line that differs, paired with the line of the other file at the same position, and then the words that differ in
 * such pairs.
 */
export function pairsOfDiffs(output: string): [string, string][] {
  return hunksOf(output).flatMap((own) => {
    const [before, after] = [sideOf(own, "<-"), sideOf(own, ">+")];
    if (before.length !== after.length) return [];
    const lines = before.map((line, index): [string, string] => [line, after[index] ?? ""]);
    return lines.concat(lines.flatMap(differingWords));
  });
}

function differingWords([line, other]: [string, string]): [string, string][] {
  const [words, others] = [line.split(" "), other.split(" ")];
  if (words.length === 1 || words.length !== others.length) return [];
  return words
    .map((word, index): [string, string] => [word, others[index] ?? ""])
    .filter(([word, inPlace]) => word !== inPlace);
}

/** Returns the lines of each hunk, with the marks of `diff`. */
function hunksOf(output: string): string[][] {
  return output
    .split(HEAD)
    .slice(1, MAX_SIDES)
    .map((part) => {
      const [, ...lines] = part.split("\n");
      const end = lines.findIndex((line) => !LINE.test(line) && line !== "---");
      return end === -1 ? lines : lines.slice(0, end);
    });
}

function sideOf(lines: readonly string[], marks: string): string[] {
  return lines
    .filter((line) => line !== "---" && marks.includes(line.charAt(0)))
    .map((line) => line.replace(LINE, ""));
}
