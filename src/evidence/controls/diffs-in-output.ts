const MAX_SIDES = 4;
/** The first line of what differs, in the usual and in the unified format. */
const HEAD = /^(?:\d+(?:,\d+)?[acd]\d+(?:,\d+)?|@@ -\d.*@@.*)$/m;
/** A line of the first or the second file; in the unified format the context is of both. */
const LINE = /^(?:[<>] |[ +-])/;

/** Returns the texts that `diff` prints of its two files: one of them holds the answer, and the other one what is expected. */
export function diffsInOutput(output: string): string[] {
  const sides = output
    .split(HEAD)
    .slice(1, MAX_SIDES)
    .flatMap((part) => {
      const [, ...lines] = part.split("\n");
      const end = lines.findIndex((line) => !LINE.test(line) && line !== "---");
      const own = end === -1 ? lines : lines.slice(0, end);
      return ["<- ", ">+ "].map((marks) => sideOf(own, marks));
    });
  return [...new Set(sides)].filter((side) => side !== "").slice(0, MAX_SIDES);
}

function sideOf(lines: readonly string[], marks: string): string {
  return lines
    .filter((line) => line !== "---" && marks.includes(line.charAt(0)))
    .map((line) => line.replace(LINE, ""))
    .join("\n");
}
