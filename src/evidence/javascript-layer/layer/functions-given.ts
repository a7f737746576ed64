import {
  type Callable,
  hasOwn,
  isBuiltInPrototype,
  isLayers,
  isNative,
  isObject,
  isProductClass,
  isProxy,
  isShared,
  type Property,
  propertyOf,
  prototypeOf,
  raw,
} from "./known-objects.ts";

/** The number of runs of one given function that the whole product records and the deaf one repeats. */
export const MAX_RUNS = 20;

/** A function, or a proxy, that the script has given to the product. */
export interface GivenFunction {
  readonly fn: Callable;
  /** The name of the function: the key of the call, the position of the argument, and the properties that lead to the function. */
  readonly id: string;
  /** The object that has the function as a property; null: it is a proxy. */
  readonly holder: object | null;
  readonly name: PropertyKey;
  /** null: the function is an argument itself. */
  readonly descriptor: Property | null;
}

/**
 * Returns whether a function is one of the run time's own. The functions that settle a promise have no name: a script that awaits the
 * promise goes on only if the product calls them.
 */
const isBuiltIn = (fn: object): boolean =>
  isNative(fn) && !isProxy(fn) && (fn as { name?: unknown }).name !== "" && !isBound(fn);

/** Returns whether `bind` has made the function. */
export const isBound = (fn: object): boolean => String((fn as { name?: unknown }).name).startsWith("bound ");

/** Visits each function in these arguments, also in properties and prototypes. */
export function eachGiven(
  args: readonly unknown[],
  key: string,
  visit: (found: GivenFunction) => void,
): void {
  const seen = new Set<object>();
  const visitValue = (value: unknown, where: Omit<GivenFunction, "fn">, depth: number): void => {
    if (typeof value === "function") {
      if (raw.has(value) || isBuiltIn(value)) return;
      visit({ ...where, fn: value as Callable });
      if (depth > 2 || seen.has(value) || !value.prototype) return;
      seen.add(value);
      visitProperties(value.prototype as object, `${where.id}.prototype`, depth + 1);
      return;
    }
    if (!isObject(value) || seen.has(value) || depth > 3 || isLayers(value) || isShared(value)) return;
    seen.add(value);
    if (isProxy(value)) visit({ ...where, fn: value as unknown as Callable, holder: null });
    else visitProperties(value, where.id, depth);
  };
  const visitProperties = (value: object, id: string, depth: number): void => {
    if (isProductClass(prototypeOf(value)) && !hasOwn(value, "constructor")) return;
    for (
      let one: object | null = value;
      one && !isBuiltInPrototype(one) && !isProductClass(one);
      one = prototypeOf(one)
    )
      for (const name of Reflect.ownKeys(one).slice(0, 60)) {
        const descriptor = propertyOf(one, name);
        if (name === "constructor" || !descriptor) continue;
        const path = `${id}.${String(name)}`;
        const where = { holder: one, name, descriptor };
        if (descriptor.get) visitValue(descriptor.get, { ...where, id: `${path} get` }, 4);
        else visitValue(descriptor.value, { ...where, id: path }, depth + 1);
      }
  };
  try {
    for (const [index, arg] of args.entries())
      visitValue(arg, { id: `${key}:${index}`, holder: args, name: index, descriptor: null }, 0);
  } catch {}
}

export function gives(args: readonly unknown[]): boolean {
  let found = false;
  eachGiven(args, "", () => (found = true));
  return found;
}
