import { types } from "node:util";
import { runInThisContext } from "node:vm";
import { candidate } from "./config.ts";
import { type Bag, isObject, isProxy, prototypeOf, propertyOf, textOf } from "./known-objects.ts";
import { answered } from "./memory.ts";
import type { Shape } from "./shape.ts";
import { shapeOf } from "./shape-of.ts";

/** Candidates about the calls themselves, not about values. */
const CALLS = /^(?:calls \d+|no error)$/;

/** The candidate's text: an expression, or a special word. */
export const candidateText = candidate === null ? "" : candidate.candidate;
export const only = candidate?.only;
export const isLeaf = candidate?.isLeaf === true;
export const isThrown = /^throw \w+$/.test(candidateText);
/** The candidate is a value that calls answer. */
export const isOfValues = candidate !== null && candidate.isSpread !== true && !CALLS.test(candidateText);
/** A script that checks several calls is satisfied only if most of them keep the whole product's answer. */
export const isOfSome = only !== undefined;

export function errorOf(name: string, message: string): Error {
  const Kind = (globalThis as Bag)[name];
  const made = new (typeof Kind === "function" ? (Kind as ErrorConstructor) : Error)(message);
  return Object.assign(made, { name });
}

/** Evaluates an expression of the script's language: a literal. Throws what it throws. */
export const evaluated = (expression: string): unknown => runInThisContext(`(${expression})`);

/** Returns the value that the candidate stands for, made anew for each call. Throws if the candidate is an error. */
export function candidateValue(args: readonly unknown[]): unknown {
  if (candidateText === "identity") return args[0];
  if (isThrown) {
    const error = errorOf(candidateText.slice(6), candidate?.text || "q");
    throw Object.assign(error, candidate?.fields === undefined ? {} : evaluated(candidate.fields));
  }
  try {
    return evaluated(candidateText);
  } catch {
    return undefined;
  }
}

const PLAIN = new Set(["string", "number", "boolean", "array", "object"]);
const NO_OBJECTS = new Set(["string", "number", "boolean", "null", "undefined"]);

/**
 * Returns whether the candidate is of another type than the answer, and the script does not compare with it: it would satisfy the
 * script by chance, as a falsy value does.
 */
export function isOfUnexpectedType(shape: Shape | undefined, args: readonly unknown[]): boolean {
  if (candidate?.isWanted === true || shape === undefined || !PLAIN.has(shape.t)) return false;
  const { t } = shapeOf(candidateValue(args), 0);
  const isKindOfObject = ["array", "object"].includes(shape.t) && !NO_OBJECTS.has(t);
  return t !== shape.t && (candidate?.isWanted === false || !isKindOfObject);
}

const { get: sourceOf } = Object.getOwnPropertyDescriptor(RegExp.prototype, "source") as {
  get: () => string;
};
const { get: flagsOf } = Object.getOwnPropertyDescriptor(RegExp.prototype, "flags") as { get: () => string };

/** Returns the innermost values in the arguments of a call, as text. It runs no code of the script. */
export function leavesOf(args: readonly unknown[]): string[] {
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (found.length >= 20 || typeof value === "function" || value === undefined) return;
    if (!isObject(value)) {
      found.push(textOf(value).slice(0, 200));
      return;
    }
    if (depth > 3 || isProxy(value)) return;
    if (types.isRegExp(value))
      found.push(
        [sourceOf, flagsOf]
          .map((part) => textOf(Reflect.apply(part, value, [])))
          .join("/")
          .slice(0, 200),
      );
    const proto = prototypeOf(value);
    if (proto !== null && proto !== Object.prototype && !Array.isArray(value)) return;
    for (const key of Object.keys(value).slice(0, 20)) walk(propertyOf(value, key)?.value, depth + 1);
  };
  for (const one of args) walk(one, 0);
  return found;
}

/** Returns a name for a call of a function with its arguments: in a script of several processes each one starts to count anew. */
export const byOf = (key: string, args: readonly unknown[]): string =>
  key + JSON.stringify(leavesOf(args)).slice(0, 600);

/** Calls with the same arguments get the same answer: otherwise a script that expects equal calls to differ would be satisfied. */
function isLikeCall(by: string | undefined, call: string | null): boolean {
  return call !== null && by !== undefined && by.replace(/#\d+/, "") === call.replace(/#\d+/, "");
}

export const isLast = (by: string | undefined): boolean => isLikeCall(by, answered.last);
export const isFirst = (by: string | undefined): boolean => isLikeCall(by, answered.first);

/** Returns whether this call throws the candidate. */
export const throwsAt = (by: string): boolean =>
  isOfValues && isThrown && !isLeaf && (!isOfSome || (only === "last" && isLast(by)));
