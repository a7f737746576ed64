/** The only block types that untrusted plain text is parsed into. */
export type TextBlock =
  | { type: "paragraph"; lines: string[] }
  | { type: "code"; language: string; lines: string[] }
  /** `first`: the number of the first item; null for a bulleted list. Every item has at least one line. */
  | { type: "list"; first: number | null; items: string[][] };

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const ITEM = /^\s*(?:[-*+]|(\d{1,3})[.)])\s+(?=\S)/;
const INDENTED = /^(?: {4}|\t)\s*\S/;

/**
 * Returns untrusted text as paragraphs, lists and code blocks (S24). It is read line by line and in one pass, so the cost is linear
 * in the length. Lists are flat; all other Markdown syntax stays as literal characters.
 */
export function textBlocks(text: string): TextBlock[] {
  const lines = text.split("\n");
  const blocks: TextBlock[] = [];
  /** The block that the next line may continue. */
  let open: TextBlock | null = null;
  const add = (block: TextBlock): TextBlock => {
    blocks.push(block);
    return block;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const item = ITEM.exec(line);
    if (line.trim() === "") {
      if (open?.type !== "list" || ITEM.exec(lines[at + 1] ?? "") === null) open = null;
    } else if (fence !== null) {
      const end = fenceEnd(lines, at, fence[2] ?? "");
      const indent = fence[1]?.length ?? 0;
      const code = lines.slice(at + 1, end).map((each) => withoutIndent(each, indent));
      add({ type: "code", language: fence[3] ?? "", lines: code });
      at = end;
      open = null;
    } else if (item !== null) {
      const first = item[1] === undefined ? null : Number(item[1]);
      const words = line.slice(item[0].length);
      const isSame: boolean = open?.type === "list" && (open.first === null) === (first === null);
      if (open?.type === "list" && isSame) open.items.push([words]);
      else open = add({ type: "list", first, items: [[words]] });
    } else if (open?.type === "list") open.items.at(-1)?.push(line.trim());
    else if (open?.type === "paragraph") open.lines.push(line.trim());
    else if (open?.type === "code" && INDENTED.test(line)) open.lines.push(withoutIndent(line, 4));
    else if (INDENTED.test(line)) open = add({ type: "code", language: "", lines: [withoutIndent(line, 4)] });
    else open = add({ type: "paragraph", lines: [line.trim()] });
  }
  return blocks;
}

/** Returns the index of the line that ends the fence; if none does, the number of lines. */
function fenceEnd(lines: readonly string[], start: number, fence: string): number {
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at]?.trim() ?? "";
    if (line.length >= fence.length && line === (fence[0] ?? "").repeat(line.length)) return at;
  }
  return lines.length;
}

function withoutIndent(line: string, width: number): string {
  if (line.startsWith("\t") && width === 4) return line.slice(1);
  return line.slice(Math.min(width, line.length - line.trimStart().length));
}
