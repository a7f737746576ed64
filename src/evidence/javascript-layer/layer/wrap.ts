import { answer } from "./answers.ts";
import { candidateValue, isOfSome, isOfValues } from "./candidate.ts";
import { restoreBuiltIns } from "./built-ins.ts";
import { calledByProduct } from "./caller.ts";
import { isDeaf } from "./config.ts";
import { deafInstance, fieldsOf, layeredInstance, noteFields, throwAsConstructor } from "./instances.ts";
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
import { inert, other, same } from "./values.ts";

type Constructor = Callable & { readonly prototype: object };

export const isLayered = (value: unknown): value is object =>
  typeof value === "function" ||
  (isObject(value) &&
    (Array.isArray(value) ||
      prototypeOf(value) === Object.prototype ||
      prototypeOf(value) === null ||
      Object.prototype.toString.call(value) === "[object Module]"));

/** Gives the product's exports, and what they hold, a layer. Returns other values as they are. */
export function wrap(value: unknown, name: string): unknown {
  if (!isLayered(value) || raw.has(value)) return value;
  return layered.get(value) ?? wrapped(value as Bag & Constructor, name);
}

function wrapped(value: Bag & Constructor, name: string): object {
  const replacements = new Replacements(value);
  const target = loose(value);
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
      return layeredProperty(real, `${name}.${String(key)}`);
    },
    // An object that inherits from the exports gets the property itself.
    set: (_, key, given, receiver) =>
      receiver === proxy
        ? replacements.take(key, given) || Reflect.set(value, key, given)
        : Reflect.set(value, key, given, receiver),
    defineProperty: (_, key, descriptor) =>
      (descriptor.configurable !== false && replacements.take(key, descriptor.value)) ||
      Reflect.defineProperty(value, key, descriptor),
  });
  raw.set(proxy, value);
  layered.set(value, proxy);
  return proxy;
}

/** Properties that the run time reads, or that show nothing of the product. */
function isPassedOn(value: object, key: PropertyKey, isOwn: boolean): boolean {
  if (typeof key === "symbol" || key === "prototype" || key === "constructor" || key === "__esModule")
    return true;
  return typeof value === "function" && (!isOwn || key === "length" || key === "name");
}

function layeredProperty(real: unknown, name: string): unknown {
  if (isLayered(real)) return wrap(real, name);
  if (calledByProduct()) return real;
  if (isInstance(real)) return layeredInstance(real, name);
  if (!isDeaf) return real;
  // A script that calls the product asks for a missing export to find out which function it has.
  if (real === undefined && wasCalled()) return undefined;
  if (isOfSome) return other(shapeOf(real, 0), same);
  if (isOfValues) return other(shapeOf(real, 0), () => candidateValue([]));
  return isObject(real) ? inert(true) : other(shapeOf(real, 0));
}

function construct(value: Constructor, name: string, args: unknown[], made: Constructor): object {
  if (calledByProduct()) return Reflect.construct(value, args, made) as object;
  restoreBuiltIns();
  const key = next(name);
  // Methods of a class of the script that extends the product's are for the product to call.
  const extended = made === value || !made.prototype ? [] : [made.prototype];
  if (isDeaf) {
    throwAsConstructor(key, args);
    const instance = deafInstance(value, name, made, { known: fieldsOf(key, name, args) });
    callBack(key, args);
    if (extended.length > 0) callBack(`${key} extended`, extended, instance);
    return instance;
  }
  if (extended.length > 0) inCall(`${key} extended`, extended, () => undefined);
  if (extended.length > 0 && !classNames.has(made.prototype)) classNames.set(made.prototype, name);
  listen(value.prototype, name);
  const instance = inCall(key, args, () => Reflect.construct(value, args, made) as object);
  noteFields(key, name, args, instance);
  return instance;
}

/** Returns a copy of a frozen object, because a proxy must show the properties of a frozen target as they are. */
function loose(value: object): object {
  if (Object.isExtensible(value)) return value;
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

/** What the script puts into the product's exports. */
class Replacements {
  /** What the script has added, or set to another value. The product sees it, and it has no layer. */
  readonly added = new Set<PropertyKey>();
  /**
   * What the script has put in the place of a function. Only the script sees it, and only if the product is deaf: a claim must hold
   * for the product's own function, and not for the script's without it.
   */
  readonly changed = new Map<PropertyKey, unknown>();
  readonly #holder: Bag;

  constructor(holder: Bag) {
    this.#holder = holder;
  }

  /** Returns whether the product does not see the value. */
  take(key: PropertyKey, value: unknown): boolean {
    if (calledByProduct()) return false;
    const isReplaced =
      typeof value === "function" && typeof this.#holder[key] === "function" && !this.added.has(key);
    if (isReplaced) this.changed.set(key, value);
    else this.added.add(key);
    return isReplaced;
  }
}
