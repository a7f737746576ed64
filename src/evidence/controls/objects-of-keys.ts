import type { Found } from "./named-answer.ts";

/** Matches a script that checks which properties an object has. */
const ASKS_FOR_KEYS =
  /\bObject\.(?:keys|entries|getOwnPropertyNames)\(|\bReflect\.ownKeys\(|\bfor\s*\(\w+ \w+ in\b/;
const NAMES = /^(["'])([\w$-]+(?:, ?[\w$-]+)*)\1$/;
const LIST_OF_NAMES = /^\[\s*(?:(["'])[\w$-]+\1\s*,?\s*)+\]$/;
const MAX_OBJECTS = 2;

/**
 * Returns objects whose own properties have the names that a script expects, as a list or as text with commas:
 * `Object.keys(x).join() === "a,b"`. They are made from JSON, which gives an object an own property `__proto__` as well.
 */
export function objectsOfKeys(script: string, found: readonly Found[]): Found[] {
  if (!ASKS_FOR_KEYS.test(script)) return [];
  const named = found.flatMap(({ expression, isWanted }) => (isWanted ? [namesIn(expression)] : []));
  return named
    .filter((names) => names.length > 0)
    .slice(0, MAX_OBJECTS)
    .map((names) => {
      const members = names.map((name) => `${JSON.stringify(name)}:"q"`);
      return { expression: `JSON.parse(${JSON.stringify(`{${members.join(",")}}`)})`, isWanted: true };
    });
}

function namesIn(expression: string): string[] {
  const text = NAMES.exec(expression)?.[2];
  if (text !== undefined) return text.split(/, ?/);
  return LIST_OF_NAMES.test(expression) ? (expression.match(/[\w$-]+/g) ?? []) : [];
}
