import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** Created on first use, because its tables of Unicode take time to load. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the terminal columns of one line: CJK and emoji count two, combining marks and colour codes none. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Cuts the text to at most `columns`; a cut is marked with `…`. For text without colour codes. */
export function fitText(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let left = columns - 1;
  let length = 0;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) {
    left -= displayWidth(segment);
    if (left < 0) break;
    length += segment.length;
  }
  return `${text.slice(0, length)}…`;
}

/** Returns lines of at most `columns`, broken at spaces, and inside a word only if the word is wider than a line. */
export function wrapText(text: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return text.split("\n");
  return wrapAnsi(text, Math.max(1, columns), { hard: true, trim: true }).split("\n");
}

/**
 * Wraps every line that is wider than `columns` between words; the continuation keeps the indentation of the line. No word is
 * broken, because a cut name or address is useless to copy.
 */
export function wrapWords(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (displayWidth(line) <= columns) return [line];
      const indent = /^ */.exec(line)?.[0] ?? "";
      const room = Math.max(1, columns - indent.length);
      return wrapAnsi(line.slice(indent.length), room, { hard: false, trim: true })
        .split("\n")
        .map((part) => indent + part);
    })
    .join("\n");
}

/** Returns the lines of `wrapText`, with `lead` before the first one and as many spaces before the others. */
export function hangingLines(lead: string, text: string, columns: number): string[] {
  const indent = displayWidth(lead);
  return wrapText(text, columns - indent).map((line, index) =>
    index === 0 ? `${lead}${line}` : `${" ".repeat(indent)}${line}`,
  );
}

const SEPARATOR = " · ";

/**
 * Puts items side by side, with ` · ` between them, on as few lines as `columns` allow. No item is broken, because a cut address
 * is useless.
 */
export function flowItems(items: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last + SEPARATOR + item) <= columns)
      lines[lines.length - 1] = last + SEPARATOR + item;
    else lines.push(item);
  }
  return lines;
}
