import { types } from "node:util";

export type Callable = (...args: unknown[]) => unknown;
export type Bag = Record<PropertyKey, unknown>;

/** The product's value by the layer's value. */
export const raw = new WeakMap<object, object>();
/** The layer's value by the product's value. */
export const layered = new WeakMap<object, object>();
/** Prototypes whose calls are recorded. */
export const heard = new WeakSet<object>();
/** The objects that a deaf product has returned. */
export const given = new WeakSet<object>();
/** The name under which calls of a class are recorded, by the prototype. */
export const classNames = new Map<object, string>();
/** The functions of the product's classes, by prototype, as they were before the script could replace them. */
export const beforehand = new Map<object, Map<string, unknown>>();
/** The getters and setters of the product's classes, by prototype, as they were before the script could replace them. */
export const accessors = new Map<object, Map<string, Property>>();
/** Functions that record their calls, by the function that they wrap and by themselves. */
export const wrappers = new WeakMap<object, object>();

export const isProxy = (value: unknown): value is object => types.isProxy(value);

export const isObject = (value: unknown): value is Bag => value !== null && typeof value === "object";

/** Returns whether the value is an object that a literal makes, and not a proxy. */
export function isPlainObject(value: unknown): value is Bag {
  if (!isObject(value) || isProxy(value)) return false;
  const proto = prototypeOf(value);
  return proto === null || proto === Object.prototype;
}

export const hasOwn = (value: object, key: PropertyKey): boolean =>
  Object.prototype.hasOwnProperty.call(value, key);

/** A property with a value or with accessors. */
export interface Property extends Omit<PropertyDescriptor, "get" | "set" | "value"> {
  readonly value?: unknown;
  readonly get?: Callable;
  readonly set?: Callable;
}

export const propertyOf = (holder: object, key: PropertyKey): Property | undefined =>
  Object.getOwnPropertyDescriptor(holder, key);

export const prototypeOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;

export const isNative = (fn: object): boolean =>
  /\[native code\]\s*\}$/.test(Function.prototype.toString.call(fn));

/** Returns a value as text. It is not called for objects. */
export const textOf = (value: unknown): string => String(value);

/** Returns whether the whole process shares the value. */
export const isShared = (value: unknown): boolean =>
  value === globalThis ||
  value === process ||
  value === console ||
  value === process.stdout ||
  value === process.stderr ||
  value === process.stdin;

/** Returns whether the layer has made the value. */
export const isLayers = (value: object): boolean => raw.has(value) || given.has(value);

export const isProductClass = (proto: object | null): boolean =>
  proto !== null && (beforehand.has(proto) || heard.has(proto));

export function isBuiltInPrototype(value: object): boolean {
  const { constructor } = value;
  return (
    typeof constructor === "function" &&
    hasOwn(value, "constructor") &&
    value === constructor.prototype &&
    isNative(constructor)
  );
}

/** Returns whether the value is an instance of a class of the product. */
export function isInstance(value: unknown): value is Bag {
  if (!isObject(value) || isLayers(value) || isProxy(value) || isShared(value) || Array.isArray(value))
    return false;
  const proto = prototypeOf(value);
  return proto !== null && !isBuiltInPrototype(proto) && isOfProduct(proto);
}

const kinds = new WeakMap<object, boolean>();

/** Returns whether the prototype belongs to the product, and is not a built-in one whose methods all programs share. */
export function isOfProduct(proto: object): boolean {
  const known = kinds.get(proto);
  if (known !== undefined) return known;
  const found = !isOfRunTime(proto);
  kinds.set(proto, found);
  return found;
}

function isOfRunTime(proto: object): boolean {
  const { constructor } = proto;
  if (typeof constructor !== "function" || isPlainPrototype(proto)) return false;
  for (const key of Object.getOwnPropertyNames(globalThis))
    if (valueOf(globalThis, key) === constructor) return true;
  for (const name of ["events", "stream", "buffer", "url", "http", "fs"]) {
    const all = require(name) as object;
    if (all === constructor) return true;
    if (Object.keys(all).some((key) => key !== "promises" && valueOf(all, key) === constructor)) return true;
  }
  return false;
}

/**
 * Returns whether a class has replaced its prototype with a plain object (`Class.prototype = { … }`), which inherits the
 * constructor of all objects.
 */
function isPlainPrototype(proto: object): boolean {
  if (hasOwn(proto, "constructor") || Object.getPrototypeOf(proto) !== Object.prototype) return false;
  return Object.keys(proto).some((key) => {
    const value = valueOf(proto, key);
    return typeof value === "function" && !isNative(value);
  });
}

/** Returns the value of an own property without running its getter. */
export function valueOf(holder: object, key: PropertyKey): unknown {
  return propertyOf(holder, key)?.value;
}

/**
 * Returns the names of the functions in an object that a factory has made; for a function, an empty name. Names with a leading
 * underscore are private (a timer has such functions) and omitted.
 */
export function functionsIn(result: unknown): string[] {
  if (typeof result === "function") return isLayers(result) || isNative(result) ? [] : [""];
  if (!isObject(result) || isProxy(result) || isShared(result)) return [];
  const proto = prototypeOf(result);
  if (proto !== null && proto !== Object.prototype && !isInstance(result)) return [];
  return Object.keys(result)
    .slice(0, 60)
    .filter((name) => !name.startsWith("_") && typeof valueOf(result, name) === "function");
}
