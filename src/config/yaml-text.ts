import { messageOf } from "agent-tty/kit";
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";

/** A parsed YAML text: its value and its line numbers. */
export interface YamlText {
  value: unknown;
  /** The line of the key or item at this path, or of its nearest ancestor in the file; null if there is none. */
  lineOf(path: readonly PropertyKey[]): number | null;
}

/** The limit that refuses a text which expands itself (aliases of aliases). */
const MAX_ALIASES = 20;

/**
 * Parses a YAML document. Returns it with the line of each key, or the first problem with its line. MAX_ALIASES limits the
 * aliases.
 */
export function parseYaml(
  text: string,
): { type: "parsed"; yaml: YamlText } | { type: "refused"; line: number | null; problem: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) return refused(error.linePos?.[0].line ?? null, error.message);
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { type: "parsed", yaml: { value, lineOf: (path) => lineAt(document.contents, path, lines) } };
  } catch (cause) {
    return refused(null, messageOf(cause));
  }
}

function refused(line: number | null, message: string) {
  return { type: "refused", line, problem: message.split("\n")[0] ?? "" } as const;
}

function lineAt(contents: unknown, path: readonly PropertyKey[], lines: LineCounter): number | null {
  let [current, offset] = [contents, null as number | null];
  for (const step of path) {
    const found = childOf(current, step);
    if (found === null) break;
    current = found.value;
    offset = found.offset ?? offset;
  }
  return offset === null ? null : lines.linePos(offset).line;
}

function childOf(node: unknown, step: PropertyKey): { value: unknown; offset: number | null } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }: Pair) => isScalar(key) && String(key.value) === String(step));
    if (pair === undefined) return null;
    return { value: pair.value, offset: isScalar(pair.key) ? (pair.key.range?.[0] ?? null) : null };
  }
  if (!isSeq(node) || typeof step !== "number") return null;
  const item = node.items[step];
  return item === undefined
    ? null
    : { value: item, offset: isScalar(item) ? (item.range?.[0] ?? null) : null };
}
