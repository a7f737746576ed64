import type { NamedAnswer } from "./named-answer.ts";
import { assignedAsExpected, comparedFields, fieldsIn } from "./script-data.ts";

const MAX_FIELDS = 8;
/** The variables that hold an error; the last group is one. */
const CAUGHT =
  /\bcatch\s*\(\s*(?:async\s*)?\(?\s*([a-zA-Z_$][\w$]*)|\.then\(\s*[\w$]+\s*,\s*\(?\s*([a-zA-Z_$][\w$]*)\s*\)?\s*=>/g;
/** What an assertion expects of an error. */
const EXPECTED = /\b(?:throws|rejects|toThrow\w*)\s*\(([^;]{1,400})/g;
/** Every error has them. */
const USUAL = new Set(["message", "name", "stack", "cause", "constructor", "toString"]);

/** Returns the errors that a script names if it expects an error; last, those with the properties that it expects or reads. */
export function thrown(text: string, how: Partial<NamedAnswer> = {}): NamedAnswer[] {
  if (!/throw|reject|catch|raise/i.test(text)) return [];
  const kinds = new Set(["Error", ...(text.match(/\b[A-Z]\w*Error\b/g) ?? [])]);
  const patterns = [...text.matchAll(/\/((?:[^/\\\n]|\\.){1,80})\/[a-z]*/g)].map((match) => match[1] ?? "");
  const message = patterns
    .slice(0, 5)
    .join(" ")
    .replaceAll(/\\|[\^$]/g, "");
  const errors = [...kinds]
    .slice(0, 3)
    .map((kind): NamedAnswer =>
      Object.assign({ candidate: `throw ${kind}`, isLeaf: false, text: message }, how),
    );
  const fields = fieldsOfErrors(text);
  const last = errors.at(-1);
  return fields === null || last === undefined ? errors : [...errors, { ...last, fields }];
}

/** Returns an expression of an object with the properties that the script expects of an error or reads from it; null: none. */
function fieldsOfErrors(text: string): string | null {
  const fields = new Map<string, string>();
  for (const [, expected = ""] of text.matchAll(EXPECTED))
    for (const [name, value] of fieldsIn(expected)) fields.set(name, value);
  const compared = comparedFields(text);
  const assigned = [...assignedAsExpected(text)];
  // What a script returns from the error is compared elsewhere: `catch (e) { return e.line }`.
  const expected = assigned.length === 1 ? assigned[0] : undefined;
  const names = new Set([...text.matchAll(CAUGHT)].map(([, caught, refused]) => caught ?? refused ?? ""));
  for (const name of names)
    for (const [, field = ""] of text.matchAll(
      new RegExp(String.raw`(?<![\w$.])${escaped(name)}\??\.([a-zA-Z_]\w*)`, "g"),
    )) {
      const value = compared.get(field);
      const isText = field === "message" && expected !== undefined && /^["']/.test(expected);
      if (!fields.has(field) && (value !== undefined || isText || !USUAL.has(field)))
        fields.set(field, value ?? expected ?? '"q"');
    }
  const all = [...fields].slice(0, MAX_FIELDS).map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
  const isOnlyNamed = [...fields.keys()].every((name) => name === "name");
  return isOnlyNamed ? null : `{ ${all.join(", ")} }`;
}

const escaped = (name: string): string => name.replaceAll("$", String.raw`\$`);
