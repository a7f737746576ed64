/** One part of a change that can be applied alone: a hunk of a file, or a whole file that is added, deleted or not text. */
export interface DiffUnit {
  readonly file: string;
  /** The lines that start the file's part of a patch. */
  readonly header: readonly string[];
  /** null: this unit is the file's whole part, which cannot be divided. */
  readonly hunk: DiffHunk | null;
  /** Lines after the header, or after the hunk's `@@`. */
  readonly body: readonly string[];
}

export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newLines: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** The length above which a line counts as several, because a bundle in one line is not a small change. */
const LINE_CHARACTERS = 120;

/** Returns the units of the output of `git diff -U0 --full-index --binary`, in the diff's order. Pure. */
export function readDiff(diff: string): DiffUnit[] {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return parts.flatMap(readFilePart);
}

function readFilePart(part: string): DiffUnit[] {
  const lines = part.replace(/\n$/, "").split("\n");
  const file = /^diff --git .* b\/(.*)$/.exec(lines[0] ?? "")?.[1] ?? "";
  const first = lines.findIndex((line) => HUNK.test(line));
  const isWhole =
    first === -1 ||
    lines.slice(1, first).some((line) => /^(?:new|deleted) file|^(?:old|new) mode/.test(line));
  if (isWhole) return [{ file, header: lines.slice(0, 1), hunk: null, body: lines.slice(1) }];
  const header = lines.slice(0, first);
  const units: { file: string; header: string[]; hunk: DiffHunk; body: string[] }[] = [];
  for (const line of lines.slice(first)) {
    const found = HUNK.exec(line);
    if (found === null) units.at(-1)?.body.push(line);
    else
      units.push({
        file,
        header,
        hunk: {
          oldStart: Number(found[1]),
          oldLines: Number(found[2] ?? 1),
          newLines: Number(found[3] ?? 1),
        },
        body: [],
      });
  }
  return units;
}

/** Returns a patch of some of a diff's units, in the diff's order, for `git apply --unidiff-zero`. Pure. */
export function writePatch(units: readonly DiffUnit[]): string {
  const lines: string[] = [];
  let [file, shift] = ["", 0];
  for (const { file: of, header, hunk, body } of units) {
    if (of !== file || hunk === null) {
      lines.push(...header);
      [file, shift] = [of, 0];
    }
    if (hunk !== null) {
      lines.push(hunkLine(hunk, shift));
      shift += hunk.newLines - hunk.oldLines;
    }
    lines.push(...body);
  }
  return `${lines.join("\n")}\n`;
}

/** Returns a hunk header. A side without lines has the number of the line before it. */
function hunkLine({ oldStart, oldLines, newLines }: DiffHunk, shift: number): string {
  const first = oldLines === 0 ? oldStart + 1 : oldStart;
  const newStart = first + shift - (newLines === 0 ? 1 : 0);
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

/** Returns how many lines the units add and remove; a long line counts as several. */
export function changedLines(units: readonly DiffUnit[]): number {
  const changed = units.flatMap(({ body }) => body).filter((line) => !line.startsWith("\\"));
  return changed.reduce((sum, line) => sum + Math.ceil(line.length / LINE_CHARACTERS), 0);
}
