/**
 * Returns a copy of a document in which `<home>` replaces this directory of the parent's machine, so that the directory is not
 * published (V8). Text from a model, messages of programs and output of a local provider may contain it.
 */
export function withoutDirectory<Value>(value: Value, directory: string): Value {
  const hide = (part: unknown): unknown => {
    if (typeof part === "string") return part.replaceAll(directory, "<home>");
    if (Array.isArray(part)) return part.map(hide);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, hide(inner)]));
  };
  return hide(value) as Value;
}
