import { types } from "node:util";
import { runInThisContext } from "node:vm";
import { candidate } from "./config.ts";
import {
  type Bag,
  type Callable,
  isObject,
  isProxy,
  prototypeOf,
  propertyOf,
  textOf,
} from "./known-objects.ts";
import { answered } from "./memory.ts";
import { ofArguments } from "./of-arguments.ts";
import type { Shape } from "./shape.ts";
import { partsOfPattern, shapeOf } from "./shape-of.ts";

/** Matches candidates about the script's functions that the product calls, or about its exports, not about values. */
const NO_VALUES = /^(?:calls \d+|no error|exports)$/;

/** The candidate: an expression or a special word. */
export const candidateText = candidate === null ? "" : candidate.candidate;
export const only = candidate?.only;
export const isLeaf = candidate?.isLeaf === true;
export const isThrown = /^throw \w+$/.test(candidateText);
/** The candidate is a value that calls return. */
export const isOfValues =
  candidate !== null && candidate.spread === undefined && !NO_VALUES.test(candidateText);
/**
 * The candidate is limited to some calls or parts, because most calls must keep the whole product's answer to satisfy a script that
 * checks several.
 */
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
  const made = ofArguments.get(candidateText);
  if (made !== undefined) return made(args);
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
 * Returns whether the candidate has another type than the answer, and the script does not compare with it. Such a value could
 * satisfy the script by chance, as a falsy value does.
 */
export function isOfUnexpectedType(shape: Shape | undefined, args: readonly unknown[]): boolean {
  if (candidate?.isWanted === true || shape === undefined || !PLAIN.has(shape.t)) return false;
  const { t } = shapeOf(candidateValue(args), 0);
  const isKindOfObject = ["array", "object"].includes(shape.t) && !NO_OBJECTS.has(t);
  return t !== shape.t && (candidate?.isWanted === false || !isKindOfObject);
}

/** A method of a class of the run time, as it was before the script could replace it. */
export const methodOf = (prototype: object, name: string): Callable =>
  Object.getOwnPropertyDescriptor(prototype, name)?.value as Callable;
const getTime = methodOf(Date.prototype, "getTime");
const entries = methodOf(Map.prototype, "entries");
const nextEntry = methodOf(prototypeOf(new Map().entries()) as object, "next");
const values = methodOf(Set.prototype, "values");
const nextValue = methodOf(prototypeOf(new Set().values()) as object, "next");
const MAX_PARTS = 20;

/** Returns the first values in a map, a set or a list of bytes, or the time of a date; of other objects none. */
function partsOf(value: object): unknown[] {
  if (types.isMap(value)) return firstOf(Reflect.apply(entries, value, []), nextEntry);
  if (types.isSet(value)) return firstOf(Reflect.apply(values, value, []), nextValue);
  if (types.isDate(value)) return [Reflect.apply(getTime, value, [])];
  if (!types.isUint8Array(value)) return [];
  return Array.from({ length: MAX_PARTS }, (_, index) => value[index]);
}

/** Returns the first values of an iterator, without the iteration that the script may have replaced. */
function firstOf(iterator: unknown, next: Callable): unknown[] {
  const found: unknown[] = [];
  while (found.length < MAX_PARTS) {
    const { done, value } = Reflect.apply(next, iterator, []) as IteratorResult<unknown>;
    if (done === true) break;
    found.push(value);
  }
  return found;
}

/** A value in the arguments of a call. `place`: the keys that lead to it inside its argument, each followed by a colon. */
interface Placed {
  readonly place: string;
  readonly text: string;
}

/**
 * Returns the innermost values in the arguments of a call, as text, without running code of the script. `isExact`: also those in maps,
 * sets, dates and bytes, and texts with a quotation mark before them.
 */
function placedLeavesOf(args: readonly unknown[], isExact: boolean): Placed[] {
  const found: Placed[] = [];
  const add = (place: string, text: string): void => void found.push({ place, text: text.slice(0, 200) });
  const walk = (value: unknown, place: string, depth: number): void => {
    if (found.length >= 20 || typeof value === "function" || value === undefined) return;
    if (!isObject(value))
      return add(place, isExact && typeof value === "string" ? `'${value}` : textOf(value));
    if (depth > 3 || isProxy(value)) return;
    if (types.isRegExp(value)) add(place, partsOfPattern(value).join("/"));
    if (isExact) for (const part of partsOf(value)) walk(part, `${place}of:`, depth + 1);
    const proto = prototypeOf(value);
    if (proto !== null && proto !== Object.prototype && !Array.isArray(value)) return;
    for (const key of Object.keys(value).slice(0, MAX_PARTS))
      walk(propertyOf(value, key)?.value, `${place}${key.slice(0, 40)}:`, depth + 1);
  };
  for (const one of args) walk(one, "", 0);
  return found;
}

export const leavesOf = (args: readonly unknown[]): string[] =>
  placedLeavesOf(args, false).map(({ text }) => text);

/**
 * Returns a name for a call of a function with its arguments: the key, a checksum of the arguments, and their innermost values. The
 * number in `key` is not enough, because each process of a script counts anew.
 */
export function byOf(key: string, args: readonly unknown[]): string {
  const exact = placedLeavesOf(args, true).map(({ place, text }) => place + text);
  return `${key}~${checksum(JSON.stringify(exact))}${JSON.stringify(leavesOf(args)).slice(0, 600)}`;
}

/** The 32-bit FNV-1a hash of the text's UTF-16 code units. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Returns whether both calls have the same function and the same arguments. Such calls get the same answer; otherwise a script that
 * expects equal calls to differ would be satisfied.
 */
function isLikeCall(by: string | undefined, call: string | null): boolean {
  return call !== null && by !== undefined && by.replace(/#\d+/, "") === call.replace(/#\d+/, "");
}

export const isLast = (by: string | undefined): boolean => isLikeCall(by, answered.last);
export const isFirst = (by: string | undefined): boolean => isLikeCall(by, answered.first);

/** Returns whether this call throws the candidate. */
export const throwsAt = (by: string): boolean =>
  isOfValues && isThrown && !isLeaf && (!isOfSome || (only === "last" && isLast(by)));
