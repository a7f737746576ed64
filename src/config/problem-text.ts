import { z } from "zod";
import { redactSecretsIn } from "../github/index.ts";
import { isSecretVariable } from "../triage/index.ts";

/** Characters of a wrong value that an error repeats. */
const SHOWN_CHARACTERS = 100;

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "keys with values",
  record: "keys with values",
};

/** Returns what a schema without a message of its own expected. It is the error map of every value that people write. */
export function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.map(String).join(" or ")}`;
    case "invalid_format":
      return issue.format === "url" ? "expected a URL such as https://host.example" : undefined;
    case "too_small":
      return `expected ${amount(issue.origin, (issue.inclusive ?? true) ? "at least" : "above", issue.minimum)}`;
    case "too_big":
      return `expected ${amount(issue.origin, (issue.inclusive ?? true) ? "at most" : "below", issue.maximum)}`;
    default:
      return undefined;
  }
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  if (limit === 1 && bound === "at least" && origin === "string") return "a text that is not empty";
  if (origin === "string") return `a text of ${bound} ${limit} characters`;
  if (origin === "array") return `a list of ${bound} ${limit} entries`;
  return `a number ${bound === "above" || bound === "below" ? bound : `of ${bound}`} ${limit}`;
}

/**
 * An issue's expectation and, as JSON, what arrived at its path. A value whose name or form is that of a secret is left out.
 * `arrived`: undefined where nothing did.
 */
export function problemText({ message, path }: z.core.$ZodIssue, arrived: unknown): string {
  if (!message.startsWith("expected ") || message.includes(", got ") || arrived === undefined) return message;
  const text = JSON.stringify(redactSecretsIn(arrived));
  if (isSecretVariable(String(path.at(-1) ?? ""), text)) return message;
  return `${message}, got ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
}
