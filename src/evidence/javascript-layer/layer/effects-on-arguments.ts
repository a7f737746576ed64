import { type Bag, hasOwn, isObject, isPlainObject, isProxy, propertyOf } from "./known-objects.ts";
import type { ChangedArguments, Shape, Shapes } from "./shape.ts";
import { MAX_DEPTH, MAX_ELEMENTS, shapeOf } from "./shape-of.ts";
import { other, same } from "./values.ts";

/** The maximum number of characters of a record that is kept. */
const MAX_SIZE = 4_000;

/** Returns a function that reports, after the call, which plain objects and lists among its arguments the call has changed. */
export function watchArguments(args: readonly unknown[]): () => ChangedArguments {
  const before = args.map(recordOf);
  return () =>
    args.flatMap((one, position): [number, Shape][] => {
      const [earlier, now] = [before[position], recordOf(one)];
      const isChanged = now !== null && earlier !== null && earlier !== now && now.length <= MAX_SIZE;
      return isChanged ? [[position, JSON.parse(now) as Shape]] : [];
    });
}

/**
 * Returns the record of a plain object or list as text; null: it is none, has getters, which must not run, or is too large for a
 * whole record.
 */
const recordOf = (value: unknown): string | null =>
  (Array.isArray(value) || isPlainObject(value)) && isData(value, 0)
    ? JSON.stringify(shapeOf(value, 0))
    : null;

function isData(value: unknown, depth: number): boolean {
  if (!isObject(value)) return true;
  const keys = isProxy(value) || depth > MAX_DEPTH ? null : Object.keys(value);
  if (keys === null || keys.length > MAX_ELEMENTS) return false;
  return keys.every((key) => {
    const property = propertyOf(value, key);
    return property !== undefined && "value" in property && isData(property.value, depth + 1);
  });
}

/** Changes the arguments as the whole product did. */
export function repeatChanges(changed: ChangedArguments, args: readonly unknown[]): void {
  for (const [position, after] of changed) change(args[position], after);
}

function change(value: unknown, after: Shape): void {
  if (!isObject(value) || isProxy(value) || Object.isFrozen(value)) return;
  if (after.t !== "array" && after.t !== "object") return;
  const wanted: Shapes = Object.fromEntries(Object.entries(after.v));
  for (const key of Object.keys(value)) if (!hasOwn(wanted, key)) Reflect.deleteProperty(value, key);
  for (const [key, inner] of Object.entries(wanted)) {
    const now = propertyOf(value, key)?.value;
    if (isList(now, inner)) change(now, inner);
    else if (isOther(now, inner)) put(value, key, other(inner, same));
  }
  if (Array.isArray(value)) (value as unknown[]).length = Object.keys(wanted).length;
}

const put = (holder: Bag, key: string, value: unknown): void => {
  Reflect.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
};

const isList = (value: unknown, { t }: Shape): value is object =>
  isObject(value) && t === (Array.isArray(value) ? "array" : "object");

/** Returns whether a value differs from what its record says. Values that a record does not contain stay as they are. */
const isOther = (value: unknown, after: Shape): boolean =>
  !["function", "thing", "map", "set", "bytes", "iterator", "promise"].includes(after.t) &&
  JSON.stringify(shapeOf(value, 0)) !== JSON.stringify(after);
