import { isScalar, parseDocument } from "yaml";

export interface JsonEdit {
  path: readonly string[];
  value: string;
}

/**
 * Returns the text with other strings at these paths, and every other byte unchanged. A path whose value is not a string is
 * skipped.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  // JSON is YAML, and this parser reports the position of each value.
  const document = parseDocument(text, { uniqueKeys: false });
  const splices = edits.flatMap(({ path, value }) => {
    const node = document.getIn(path, true);
    const range = isScalar(node) && typeof node.value === "string" ? node.range : null;
    return range === null || range === undefined ? [] : [{ start: range[0], end: range[1], value }];
  });
  return splices
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (edited, { start, end, value }) =>
        `${edited.slice(0, start)}${JSON.stringify(value)}${edited.slice(end)}`,
      text,
    );
}
