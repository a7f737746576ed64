const MAX_SIDES = 4;
/** The first line of what differs, in the usual and in the unified format. */
const HEAD = /^(?:\d+(?:,\d+)?[acd]\d+(?:,\d+)?|@@ -\d.*@@.*)$/m;
/** A line of the first or the second file; in the unified format the context is of both. */
const LINE = /^(?:[<>] |[ +-])/;

/** Returns the texts that `diff` prints of its two files: one of them holds the answer, and the other one what is expected. */
export function diffsInOutput(output: string): string[] {
  const sides = hunksOf(output).flatMap((own) =>
    ["<- ", ">+ "].map((marks) => sideOf(own, marks).join("\n")),
  );
  return [...new Set(sides)].filter((side) => side !== "").slice(0, MAX_SIDES);
}

/** Returns the lines that differ, each with the one of the other file in its place, and the words in which such lines differ. */
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

/** Returns the lines of each place where the two files differ, with the marks of `diff`. */
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
