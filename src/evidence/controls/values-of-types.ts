import type { Found } from "./named-answer.ts";

/** A value for each type that `typeof` returns and that has no literal. */
const OF_TYPEOF: Readonly<Record<string, string>> = {
  function: "function q() {}",
  bigint: "BigInt(1)",
  object: "{}",
  symbol: 'Symbol("q")',
  undefined: "undefined",
};
/** A value for which each of these functions returns true. */
const OF_FUNCTION: Readonly<Record<string, string>> = {
  "Array.isArray": "[]",
  "Buffer.isBuffer": 'Buffer.from("q")',
  "Number.isNaN": "NaN",
  "Number.isInteger": "1",
  "Number.isFinite": "1",
};
const INSTANCE = /instanceof\s+(Date|Map|Set|Array|RegExp|Error|Promise|TypeError|RangeError)\b/g;
const FUNCTION = /\b((?:Array|Buffer|Number)\.is[A-Z]\w+)\(/g;

/**
 * Returns values of the types that a script expects `typeof` to return: `const want = "function"`. `assigned`: the values that the
 * script expects.
 */
export function valuesOfTypes(script: string, assigned: ReadonlySet<string>): Found[] {
  if (!/\btypeof\s/.test(script)) return [];
  const types = [...assigned].map((expected) => expected.slice(1, -1));
  return types.flatMap((type) =>
    Object.hasOwn(OF_TYPEOF, type) ? [{ expression: OF_TYPEOF[type] ?? "", isWanted: true }] : [],
  );
}

/** Returns values of the types that a script tests for with `instanceof` or with a function such as `Array.isArray`. */
export function valuesOfAskedTypes(script: string): string[] {
  const instances = [...script.matchAll(INSTANCE)].map(([, name = ""]) => `new ${name}()`);
  return [
    ...instances,
    ...[...script.matchAll(FUNCTION)].flatMap(([, name = ""]) => OF_FUNCTION[name] ?? []),
  ];
}
