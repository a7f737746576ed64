import { answer } from "./answers.ts";
import { candidateText, candidateValue, isOfSome, isOfValues } from "./candidate.ts";
import { restoreBuiltIns } from "./built-ins.ts";
import { calledByProduct } from "./caller.ts";
import { isDeaf } from "./config.ts";
import {
  deafInstance,
  fieldsOf,
  layeredInstance,
  noteFields,
  noteRefusal,
  throwAsConstructor,
} from "./instances.ts";
import {
  type Bag,
  type Callable,
  classNames,
  isInstance,
  isObject,
  layered,
  prototypeOf,
  raw,
} from "./known-objects.ts";
import { inCall, listen, passOn } from "./listening.ts";
import { isFull, next, wasCalled } from "./memory.ts";
import { callBack } from "./runs-of-given.ts";
import { shapeOf } from "./shape-of.ts";
import { inertObject, other, same } from "./values.ts";

type Constructor = Callable & { readonly prototype: object };

export const isLayered = (value: unknown): value is object =>
  typeof value === "function" ||
  (isObject(value) &&
    (Array.isArray(value) ||
      prototypeOf(value) === Object.prototype ||
      prototypeOf(value) === null ||
      Object.prototype.toString.call(value) === "[object Module]"));

/** Gives a layer to the product's exports and the objects and functions in them. Returns other values unchanged. */
export function wrap(value: unknown, name: string): unknown {
  if (!isLayered(value) || raw.has(value)) return value;
  return layered.get(value) ?? wrapped(value as Bag & Constructor, name);
}

function wrapped(value: Bag & Constructor, name: string): object {
  const replacements = new Replacements(value);
  const target = loose(value);
  /** Sets a property that the script has set in the copy as well. Returns true, for the traps. */
  const copied = (key: PropertyKey): true => {
    const set = target === value ? undefined : Object.getOwnPropertyDescriptor(value, key);
    if (set !== undefined) Object.defineProperty(target, key, set);
    return true;
  };
  const proxy: object = new Proxy(target, {
    apply(_, self, args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(value, raw.get(self as object) ?? self, args);
      if (calledByProduct()) return call();
      const key = next(name);
      if (!isFull()) restoreBuiltIns();
      return isDeaf ? answer(key, name, args) : passOn(call, key, name, args);
    },
    construct: (_, args: unknown[], newTarget): object =>
      construct(value, name, args, newTarget === proxy ? value : (newTarget as Constructor)),
    get(_, key, receiver): unknown {
      const own = Object.getOwnPropertyDescriptor(target, key);
      const real: unknown = Reflect.get(value, key, receiver === proxy ? value : receiver);
      if (own && !own.configurable && "value" in own && !own.writable) return real;
      if (isDeaf && replacements.changed.has(key) && !calledByProduct()) return replacements.changed.get(key);
      if (replacements.added.has(key) || isPassedOn(value, key, own !== undefined)) return real;
      if (candidateText === "exports" && isDeaf && real === undefined && !calledByProduct()) return receiver;
      return layeredProperty(real, `${name}.${String(key)}`);
    },
    // An object that inherits from the exports gets the property itself.
    set: (_, key, given, receiver) =>
      receiver === proxy
        ? replacements.take(key, given) || (Reflect.set(value, key, given) && copied(key))
        : Reflect.set(value, key, given, receiver),
    defineProperty: (_, key, descriptor) =>
      (descriptor.configurable !== false && replacements.take(key, descriptor.value)) ||
      (Reflect.defineProperty(value, key, descriptor) && copied(key)),
  });
  raw.set(proxy, value);
  layered.set(value, proxy);
  return proxy;
}

const OF_RUN_TIME = new Set<PropertyKey>(["prototype", "constructor", "__esModule", "then"]);

/** Returns whether a property gets no layer, because the run time reads it or it reveals nothing about the product. */
function isPassedOn(value: object, key: PropertyKey, isOwn: boolean): boolean {
  if (typeof key === "symbol" || OF_RUN_TIME.has(key)) return true;
  return typeof value === "function" && (isOwn ? key === "length" || key === "name" : key in value);
}

function layeredProperty(real: unknown, name: string): unknown {
  if (isLayered(real)) return wrap(real, name);
  if (calledByProduct()) return real;
  if (isInstance(real)) return layeredInstance(real, name);
  if (!isDeaf) return real;
  // A script that calls the product reads a missing export only to find out whether the product has that function.
  if (real === undefined && wasCalled()) return undefined;
  if (isOfSome) return other(shapeOf(real, 0), same);
  if (isOfValues) return other(shapeOf(real, 0), () => candidateValue([]));
  return isObject(real) ? inertObject() : other(shapeOf(real, 0));
}

function construct(value: Constructor, name: string, args: unknown[], made: Constructor): object {
  if (calledByProduct()) return Reflect.construct(value, args, made) as object;
  restoreBuiltIns();
  const key = next(name);
  // If a class of the script extends the product's class, the product may call the methods of that class.
  const extended = made === value || !made.prototype ? [] : [made.prototype];
  if (isDeaf) {
    const known = fieldsOf(key, name, args);
    throwAsConstructor(known, args);
    const instance = deafInstance(value, name, made, { known });
    callBack(key, args);
    if (extended.length > 0) callBack(`${key} extended`, extended, instance);
    return instance;
  }
  if (extended.length > 0) inCall(`${key} extended`, extended, () => undefined);
  if (extended.length > 0 && !classNames.has(made.prototype)) classNames.set(made.prototype, name);
  listen(value.prototype, name);
  let instance: object;
  try {
    instance = inCall(key, args, () => Reflect.construct(value, args, made) as object);
  } catch (error) {
    noteRefusal(key, args, error);
    throw error;
  }
  noteFields(key, name, args, instance);
  return instance;
}

/**
 * Returns a copy of an object that is frozen or has a constant property with a function or an object, because a proxy must show such
 * properties of its target as they are.
 */
function loose(value: object): object {
  if (Object.isExtensible(value) && !hasConstants(value)) return value;
  const descriptors = Object.getOwnPropertyDescriptors(value) as Record<PropertyKey, PropertyDescriptor>;
  if (typeof value === "function") delete descriptors["prototype"];
  for (const key of Reflect.ownKeys(descriptors)) {
    const descriptor = descriptors[key] as PropertyDescriptor;
    descriptor.configurable = true;
    if ("value" in descriptor) descriptor.writable = true;
  }
  const copy: object = typeof value === "function" ? function () {} : {};
  Object.setPrototypeOf(copy, prototypeOf(value));
  return Object.defineProperties(copy, descriptors);
}

function hasConstants(value: object): boolean {
  return Object.entries(Object.getOwnPropertyDescriptors(value)).some(
    ([key, { configurable, writable, value: held }]) =>
      configurable === false && writable === false && !OF_RUN_TIME.has(key) && isLayered(held),
  );
}

/** The values that the script sets in the product's exports. */
class Replacements {
  /** The keys that the script has added or set to another value. The product sees these values, and they have no layer. */
  readonly added = new Set<PropertyKey>();
  /**
   * The functions with which the script has replaced the product's. Only the script sees them, and only if the product is deaf: a
   * claim must be about the product's own function, and not about the script's replacement.
   */
  readonly changed = new Map<PropertyKey, unknown>();
  readonly #holder: Bag;

  constructor(holder: Bag) {
    this.#holder = holder;
  }

  /** Stores a value that the script sets. Returns true if the product must not see it. */
  take(key: PropertyKey, value: unknown): boolean {
    if (calledByProduct()) return false;
    const isReplaced =
      typeof value === "function" && typeof this.#holder[key] === "function" && !this.added.has(key);
    if (isReplaced) this.changed.set(key, value);
    else this.added.add(key);
    return isReplaced;
  }
}
