import { inspect, types } from "node:util";
import { type Bag, hasOwn, isObject, isPlainObject, isProxy, prototypeOf } from "./known-objects.ts";

/** Makes an answer from the arguments of a call. */
type OfArguments = (args: readonly unknown[]) => unknown;

/** The candidates that are made from the arguments of each call, by their special words. */
export const ofArguments: ReadonlyMap<string, OfArguments> = new Map<string, OfArguments>([
  ["identity", ([first]) => first],
  ["copy", ([first]) => copyOf(first, new Map())],
  ["merged", mergedOf],
  ["json", ([first]) => JSON.stringify(first)],
  ["source", ([first]) => inspect(first, { depth: 10, breakLength: Infinity })],
]);

/** Returns a deep copy with the same classes. Functions, proxies and objects of classes without public data stay as they are. */
function copyOf(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (!isObject(value) || isProxy(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const made = emptyLike(value);
  if (made === null) return value;
  copies.set(value, made);
  if (made instanceof Map)
    for (const [key, inner] of value as unknown as Map<unknown, unknown>)
      made.set(copyOf(key, copies), copyOf(inner, copies));
  if (made instanceof Set)
    for (const inner of value as unknown as Set<unknown>) made.add(copyOf(inner, copies));
  if (ArrayBuffer.isView(made)) return made;
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || (Array.isArray(made) && key === "length")) continue;
    if ("value" in property) property.value = copyOf(property.value, copies);
    Object.defineProperty(made, key, property);
  }
  return made;
}

/** Returns an empty object of the same class, or a whole copy of an object without properties; null: it cannot be copied. */
function emptyLike(value: object): object | null {
  if (types.isMap(value)) return new Map();
  if (types.isSet(value)) return new Set();
  if (types.isDate(value)) return new Date(Number(value));
  if (types.isRegExp(value)) return new RegExp(value.source, value.flags);
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (types.isTypedArray(value)) return value.slice();
  if (Array.isArray(value)) return Array.from({ length: value.length });
  if (types.isPromise(value) || types.isAnyArrayBuffer(value) || types.isDataView(value)) return null;
  return Object.create(prototypeOf(value)) as object;
}

/** Returns one object with the properties of all arguments, also those with symbols. A later argument replaces an earlier one. */
function mergedOf(args: readonly unknown[]): unknown {
  return args.filter((one) => isObject(one) && !Array.isArray(one)).reduce<unknown>(merged, undefined);
}

function merged(earlier: unknown, later: unknown): unknown {
  if (!isPlainObject(earlier) || !isPlainObject(later)) return copyOf(later, new Map());
  const made = copyOf(earlier, new Map()) as Bag;
  for (const key of Reflect.ownKeys(later)) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") continue;
    made[key] = hasOwn(made, key) ? merged(made[key], later[key]) : copyOf(later[key], new Map());
  }
  return made;
}
