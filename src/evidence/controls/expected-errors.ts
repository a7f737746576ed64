import type { NamedAnswer } from "./named-answer.ts";
import { assignedAsExpected, comparedFields, fieldsIn } from "./script-data.ts";

const MAX_FIELDS = 8;
/** Matches the variable of a caught error, in one of two groups. */
const CAUGHT =
  /\bcatch\s*\(\s*(?:async\s*)?\(?\s*([a-zA-Z_$][\w$]*)|\.then\(\s*[\w$]+\s*,\s*\(?\s*([a-zA-Z_$][\w$]*)\s*\)?\s*=>/g;
/** Matches the arguments of an assertion that expects an error. */
const EXPECTED = /\b(?:throws|rejects|toThrow\w*)\s*\(([^;]{1,400})/g;
/** Matches a text that a script looks for in the message of an error. */
const LOOKED_FOR =
  /(?:[mM]essage|\bmsg|\bString\([\w$]{1,40}\)|[\w$]{1,40}\.toString\(\))\??\.(includes|indexOf|startsWith|endsWith)\(\s*(?:"([^"\n]{1,80})"|'([^'\n]{1,80})')/g;
/** Matches a shell that tests whether a program of Node.js or Python fails. */
const PROGRAM_TESTED = /\b(?:if|while|until)\s+(?:!\s*)?(?:node|python3?)\b/;
/** Matches a regular expression. Other slashes, such as those in paths, follow no operator or `return`. */
const PATTERN = /(?<=(?:[=>(,!&|:[?{};]|\breturn|^|\n)\s{0,40})\/((?:[^/\\\n]|\\.){1,80})\/[a-z]*/g;
/** The properties that every error has. */
const USUAL = new Set(["message", "name", "stack", "cause", "constructor", "toString"]);

/**
 * Returns the errors that a script names if it expects an error. The last ones have the message, or the other properties, that
 * the script expects of an error or reads from it.
 */
export function expectedErrors(text: string, how: Partial<NamedAnswer> = {}): NamedAnswer[] {
  if (!/throw|reject|catch|raise/i.test(text) && !PROGRAM_TESTED.test(text)) return [];
  const kinds = new Set(["Error", ...(text.match(/\b[A-Z]\w*Error\b/g) ?? [])]);
  const patterns = [...text.matchAll(PATTERN)].map((match) => match[1] ?? "");
  const message = patterns
    .slice(0, 5)
    .join(" ")
    .replaceAll(/\\|[\^$]/g, "");
  const named = [...kinds].slice(0, 3);
  const errors = named.map((kind): NamedAnswer =>
    Object.assign({ candidate: `throw ${kind}`, isLeaf: false, text: message }, how),
  );
  const lookedFor = textsInMessages(text, message);
  const ofMessage = lookedFor === message ? null : `{ "message": ${JSON.stringify(lookedFor)} }`;
  const last = errors.at(-1);
  const withFields = [ofMessage, fieldsOfErrors(text)].flatMap((fields) =>
    fields === null || last === undefined ? [] : [{ ...last, fields }],
  );
  return [...errors, ...withFields];
}

/** Returns a message with the texts that a script looks for in messages, each where it looks, and with `others` between. */
function textsInMessages(text: string, others: string): string {
  const found = [...text.matchAll(LOOKED_FOR)].slice(0, MAX_FIELDS);
  const textsOf = (...methods: string[]): string[] =>
    found.flatMap(([, method = "", double, single]) =>
      methods.includes(method) ? [(double ?? single ?? "").replaceAll("\\", "")] : [],
    );
  const parts = [textsOf("startsWith"), textsOf("includes", "indexOf"), [others], textsOf("endsWith")];
  return parts
    .flat()
    .filter((part) => part !== "")
    .join(" ");
}

/**
 * Returns an expression for an object with the properties that the script expects of an error or reads from it; null: there are
 * none.
 */
function fieldsOfErrors(text: string): string | null {
  const fields = new Map<string, string>();
  for (const [, expected = ""] of text.matchAll(EXPECTED))
    for (const [name, value] of fieldsIn(expected)) fields.set(name, value);
  const compared = comparedFields(text);
  const assigned = [...assignedAsExpected(text)];
  // A script may return a property of the error and compare it elsewhere: `catch (e) { return e.line }`.
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
