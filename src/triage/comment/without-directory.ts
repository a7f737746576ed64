/**
 * V8: a copy of a document in which no string names this directory of the parent's machine. Words of a model, messages of
 * programs and output of a local provider may hold it.
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
