import { types } from "node:util";
import { classNames, propertyOf, prototypeOf, textOf } from "./known-objects.ts";
import type { Shape, Shapes } from "./shape.ts";

/** The depth to which records contain the values inside objects and lists. */
export const MAX_DEPTH = 4;
/** The number of elements or properties in the record of one object or list. */
export const MAX_ELEMENTS = 40;
const MAX_TEXT = 4000;

export function shapeOf(value: unknown, depth: number): Shape {
  switch (typeof value) {
    case "undefined":
      return { t: "undefined" };
    case "boolean":
      return { t: "boolean", v: value };
    case "number":
      return Number.isFinite(value) ? { t: "number", v: value } : { t: "number", v: 0, x: String(value) };
    case "bigint":
      return { t: "bigint", v: String(value).slice(0, 200) };
    case "string":
      return { t: "string", v: value.slice(0, MAX_TEXT) };
    case "symbol":
      return { t: "symbol" };
    case "function":
      return { t: "function" };
    case "object":
      if (value === null) return { t: "null" };
  }
  try {
    return shapeOfObject(value as Readable, depth);
  } catch {
    return { t: "thing" };
  }
}

const { get: sourceOf } = Object.getOwnPropertyDescriptor(RegExp.prototype, "source") as {
  get: () => string;
};
const { get: flagsOf } = Object.getOwnPropertyDescriptor(RegExp.prototype, "flags") as { get: () => string };

/** Returns the source text and the flags of a pattern, without code of the script. */
export function partsOfPattern(value: RegExp): [source: string, flags: string] {
  return [textOf(Reflect.apply(sourceOf, value, [])), textOf(Reflect.apply(flagsOf, value, []))];
}

/** An object whose properties may all be read. */
type Readable = Readonly<Record<PropertyKey, unknown>>;

function shapeOfObject(value: Readable, depth: number): Shape {
  if (Array.isArray(value)) {
    const elements = depth > MAX_DEPTH ? [] : (value as readonly unknown[]).slice(0, MAX_ELEMENTS);
    return { t: "array", v: Array.from(elements, (one) => shapeOf(one, depth + 1)) };
  }
  if (value instanceof Map) return { t: "map", v: value.size };
  if (value instanceof Set) return { t: "set", v: value.size };
  if (value instanceof Date) return { t: "date", v: Number(value) || 0 };
  if (types.isRegExp(value)) return { t: "regexp", v: partsOfPattern(value) };
  if (value instanceof Error) return { t: "error", v: textOf(value.message).slice(0, 1000), n: value.name };
  if (ArrayBuffer.isView(value)) return { t: "bytes", v: Math.min(value.byteLength, 4096) };
  if (typeof value["then"] === "function") return { t: "promise", v: { t: "undefined" } };
  if (isIterator(value)) return { t: "iterator", isAsync: typeof value[Symbol.asyncIterator] === "function" };
  const proto = prototypeOf(value);
  const v: Shapes = {};
  if (depth <= MAX_DEPTH)
    for (const key of Object.keys(value).slice(0, MAX_ELEMENTS)) v[key] = shapeOf(value[key], depth + 1);
  if (proto === null || isPlain(proto)) return { t: "object", v, bare: proto === null };
  const name = classNames.get(proto);
  return { t: "thing", v, methods: methodsOf(proto), ...(name === undefined ? {} : { n: name }) };
}

function isIterator(value: Readable): boolean {
  if (typeof value[Symbol.asyncIterator] === "function" && typeof value["on"] !== "function") return true;
  return typeof value[Symbol.iterator] === "function" && typeof value["next"] === "function";
}

function isPlain(proto: object): boolean {
  if (proto === Object.prototype) return true;
  return prototypeOf(proto) === null && Object.getOwnPropertyNames(proto).length <= 1;
}

/** Returns the methods of a class and of the classes that it extends; true: the method returns a promise. */
export function methodsOf(proto: object): Record<string, boolean> {
  const methods: Record<string, boolean> = {};
  for (let one: object | null = proto; one && prototypeOf(one); one = prototypeOf(one))
    for (const key of Object.getOwnPropertyNames(one).slice(0, 300)) {
      const value = propertyOf(one, key)?.value;
      if (typeof value === "function" && key !== "constructor" && !(key in methods))
        methods[key] = value.constructor.name === "AsyncFunction";
    }
  return methods;
}

/** Returns the shape of a call that threw, or whose promise was rejected. */
export function errorShape(error: unknown): Shape & { threw: string } {
  const { message, name } = error instanceof Error ? error : new Error("q");
  return { t: "undefined", threw: textOf(message).slice(0, 1000), n: textOf(name) };
}
