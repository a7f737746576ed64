import type { Found } from "./named-answer.ts";
import { LITERAL, NOT_A_TYPE } from "./script-data.ts";

const MAX_OBJECTS = 2;
const MAX_WANTED = 2;
const MAX_INDEX = 9;
const PATH = new RegExp(
  String.raw`${NOT_A_TYPE}(?<![\w$.])([a-zA-Z_$][\w$]*)((?:\.[a-zA-Z_$][\w$]*|\[\d\]){2,6})\s*[!=]==?\s*(${LITERAL.source})`,
  "g",
);

/** Lists have numbers as names. */
interface Nested {
  [name: string]: Nested | string;
}

/**
 * Returns objects and lists with the inner properties that a script compares with literals, one for each variable:
 * `r[0].start !== 1 || r[0].end !== 2` is about `[{ "start": 1, "end": 2 }]`.
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

/** A property that a script reads, or a method that it calls: `.day`, `['--day']`, `.test("y")`. */
const STEP = String.raw`\.[a-zA-Z_$][\w$]*(?:\([^()\n]{0,100}\))?|\["[^"\n]{1,40}"\]|\['[^'\n]{1,40}'\]`;
/** Such steps after a call: `f("x").next().day`. */
const CHAIN = new RegExp(String.raw`\)((?:${STEP}){1,4})(?![\w$.([])`, "g");
/** Methods of promises. */
const LATER = new Set(["then", "catch", "finally"]);

/** Returns objects with the properties and methods that a script asks an answer for; the last one is or returns what it expects. */
export function objectsWithChains(script: string, found: readonly Found[]): Found[] {
  const wanted = found.filter(({ isWanted }) => isWanted).slice(0, MAX_WANTED);
  const chains = [...script.matchAll(CHAIN)].map(([, chain = ""]) => stepsOf(chain));
  const own = chains.filter((names) => !names.map(nameOf).some(isOfPlainValue));
  const unique = own.filter((names, index) => own.findIndex((one) => one.join() === names.join()) === index);
  return unique.slice(0, MAX_OBJECTS).flatMap((names) =>
    wanted.map(({ expression }) => ({
      expression: names.reduceRight(holding, `(${expression})`),
      isWanted: true,
    })),
  );
}

/** Returns the names in a chain; those of methods end with parentheses, and those in quotes keep their brackets. */
function stepsOf(chain: string): string[] {
  return [...chain.matchAll(new RegExp(STEP, "g"))].map(([step]) =>
    step.startsWith("[") ? step : step.slice(1).replace(/\(.*\)$/s, "()"),
  );
}

const nameOf = (step: string): string => (step.startsWith("[") ? step.slice(2, -2) : step.replace("()", ""));

/** A plain value has the property itself. The length of an inner list is not one of them. */
function isOfPlainValue(name: string, index: number): boolean {
  if (name === "length" && index > 0) return false;
  return name in String.prototype || name in Array.prototype || LATER.has(name);
}

function holding(inner: string, step: string): string {
  if (step === "length") return `new Array${inner}`;
  return step.endsWith("()") ? `({ ${nameOf(step)}: () => ${inner} })` : `({ ${step}: ${inner} })`;
}

/** Returns texts whose parts a script compares after it has split an answer: `f("x").split("_")[1] !== "url"`. */
export function splitTexts(script: string, fields: ReadonlyMap<string, string>): string[] {
  const separator = /\.split\(("[^"\n]{1,5}"|'[^'\n]{1,5}')\)/.exec(script)?.[1];
  const parts = [...fields].filter(([name, value]) => /^\d$/.test(name) && /^["']/.test(value));
  if (separator === undefined || parts.length === 0) return [];
  const last = Math.max(...parts.map(([name]) => Number(name)));
  const known = new Map(parts);
  const list = Array.from({ length: last + 1 }, (_, index) => known.get(String(index)) ?? '"q"');
  return [`[${list.join(", ")}].join(${separator})`];
}
