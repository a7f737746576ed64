import type { Found } from "./named-answer.ts";
import { LITERAL, NOT_A_TYPE } from "./script-data.ts";

const MAX_OBJECTS = 2;
const MAX_WANTED = 2;
const MAX_INDEX = 9;
const PATH = new RegExp(
  String.raw`${NOT_A_TYPE}(?<![\w$.])([a-zA-Z_$][\w$]*)((?:\.[a-zA-Z_$][\w$]*|\[\d\]){2,6})\s*[!=]==?\s*(${LITERAL.source})`,
  "g",
);

/** An object by the names of its properties. A list has its indexes as names. */
interface Nested {
  [name: string]: Nested | string;
}

/**
 * Returns objects and lists with the inner properties that a script compares with literals, one for each variable: `r[0].start !==
 * 1 || r[0].end !== 2` yields `[{ "start": 1, "end": 2 }]`.
 */
export function nestedObjects(script: string): string[] {
  const roots = new Map<string, Nested>();
  for (const [, root = "", path = "", value = ""] of script.matchAll(PATH)) {
    const names = path.match(/[\w$]+/g) ?? [];
    if (names.at(-1) === "length") continue;
    const nested = roots.get(root) ?? {};
    roots.set(root, nested);
    put(nested, names, value);
  }
  return [...roots.values()].slice(0, MAX_OBJECTS).map(textOf);
}

function put(holder: Nested, names: readonly string[], value: string): void {
  const [name = "", ...rest] = names;
  const held = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (rest.length === 0) {
    holder[name] = held ?? value;
    return;
  }
  if (typeof held === "string") return;
  const inner = held ?? {};
  holder[name] = inner;
  put(inner, rest, value);
}

function textOf(nested: Nested): string {
  const names = Object.keys(nested);
  const valueOf = (name: string): string => {
    const value = nested[name];
    return typeof value === "object" ? textOf(value) : (value ?? "undefined");
  };
  if (!names.every((name) => /^\d$/.test(name)))
    return `{ ${names.map((name) => `${JSON.stringify(name)}: ${valueOf(name)}`).join(", ")} }`;
  const last = Math.min(MAX_INDEX, Math.max(...names.map(Number)));
  return `[${Array.from({ length: last + 1 }, (_, index) => valueOf(String(index))).join(", ")}]`;
}

/** A property that a script reads, or a method that it calls: `.day`, `['--day']`, `[name]`, `.test("y")`. */
const STEP = String.raw`\.[a-zA-Z_$][\w$]*(?:\([^()\n]{0,100}\))?|\["[^"\n]{0,40}"\]|\['[^'\n]{0,40}'\]|\[\d\]|\[[a-zA-Z_$][\w$]*\]`;
/** Matches such steps after a call, `f("x").next().day`, or after a value that a module holds: `= colors.bold.close`. */
const CHAIN = new RegExp(
  String.raw`(?:\)|=\s*[a-zA-Z_$][\w$]*\.[a-zA-Z_$][\w$]*)((?:${STEP}){1,4})(?![\w$.([])`,
  "g",
);
/** Methods of promises. */
const LATER = new Set(["then", "catch", "finally"]);

/**
 * Returns objects with the chains of properties and methods that a script reads from an answer. The last property of a chain is, or
 * its last method returns, a value that the script expects.
 */
export function objectsWithChains(script: string, found: readonly Found[]): Found[] {
  const wanted = found.filter(({ isWanted }) => isWanted).slice(0, MAX_WANTED);
  const chains = [...script.matchAll(CHAIN)].map(([, chain = ""]) => stepsOf(chain));
  const own = chains.filter((names) => !isIndex(names) && !names.some(isOfPlainValue));
  const unique = own.filter((names, index) => own.findIndex((one) => one.join() === names.join()) === index);
  return unique.slice(0, MAX_OBJECTS).flatMap((names) =>
    wanted.map(({ expression }) => ({
      expression: names.reduceRight(holding, `(${expression})`),
      isWanted: true,
    })),
  );
}

/**
 * Returns objects with the chains of properties that a script reads from a variable: for `o.a.b` and the value 1, `{ a: { b: 1 } }`.
 * `keys`: values for chains whose properties the script lists, as in `Object.keys(o.a)`.
 */
export function objectsOfVariable(
  script: string,
  variable: string,
  { values, keys }: { values: readonly string[]; keys: readonly string[] },
): string[] {
  const read = new RegExp(
    String.raw`(\(\s*)?(?<![\w$.])${variable}((?:${STEP}){1,4})(?![\w$.([]|\s*=[^=])`,
    "g",
  );
  const found = [...script.matchAll(read)].flatMap(([, argument, chain = ""]) => {
    const steps = stepsOf(chain);
    if (steps.some((step, index) => step.endsWith("()") || isOfPlainValue(step, index))) return [];
    const ends = argument === undefined || keys.length === 0 ? values : keys;
    return ends.map((end) => steps.reduceRight(holding, `(${end})`));
  });
  return [...new Set(found)].slice(0, MAX_OBJECTS);
}

/** Returns the names in a chain; those of methods end with parentheses, and those in brackets keep them. */
function stepsOf(chain: string): string[] {
  return [...chain.matchAll(new RegExp(STEP, "g"))].map(([step]) =>
    step.startsWith("[") ? step : step.slice(1).replace(/\(.*\)$/s, "()"),
  );
}

/** Matches the step to an element of a list. */
const INDEX = /^\[\d\]$/;

/** Matches the step to a property whose name is the value of a variable. */
const VARIABLE = /^\[[a-zA-Z_$]/;

/** Returns whether a chain is only one element of a list, for which other answers exist. */
const isIndex = (names: readonly string[]): boolean => names.length === 1 && INDEX.test(names[0] ?? "");

const nameOf = (step: string): string =>
  step.startsWith("[") ? step.replaceAll(/^\[["']?|["']?\]$/g, "") : step.replace("()", "");

/** Returns whether a text, a list or a promise has this method or length itself. `length` counts only as the first step of a chain. */
function isOfPlainValue(step: string, index: number): boolean {
  if (step === "length") return index === 0;
  const name = nameOf(step);
  return LATER.has(name) || (step.endsWith("()") && (name in String.prototype || name in Array.prototype));
}

function holding(inner: string, step: string): string {
  if (INDEX.test(step)) return `[${'"q", '.repeat(Number(nameOf(step)))}${inner}]`;
  if (VARIABLE.test(step)) return `new Proxy({}, { get: () => ${inner} })`;
  if (step === "length") return `new Array${inner}`;
  return step.endsWith("()") ? `({ ${nameOf(step)}: () => ${inner} })` : `({ ${step}: ${inner} })`;
}

/** Returns texts that, when split, have the parts that a script expects: `f("x").split("_")[1] !== "url"`. */
export function splitTexts(script: string, fields: ReadonlyMap<string, string>): string[] {
  const separator = /\.split\(("[^"\n]{1,5}"|'[^'\n]{1,5}')\)/.exec(script)?.[1];
  const parts = [...fields].filter(([name, value]) => /^\d$/.test(name) && /^["']/.test(value));
  if (separator === undefined || parts.length === 0) return [];
  const last = Math.max(...parts.map(([name]) => Number(name)));
  const known = new Map(parts);
  const list = Array.from({ length: last + 1 }, (_, index) => known.get(String(index)) ?? '"q"');
  return [`[${list.join(", ")}].join(${separator})`];
}
