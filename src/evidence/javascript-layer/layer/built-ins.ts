import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { config, own } from "./config.ts";
import { calledByProduct } from "./caller.ts";
import {
  accessors,
  beforehand,
  type Callable,
  isNative,
  isProxy,
  propertyOf,
  valueOf,
} from "./known-objects.ts";

/** The CommonJS modules of the product, by file, after they have loaded. */
export const modules = new Map<string, { module: NodeJS.Module; exports: unknown }>();

/** Functions for time and random numbers, which an honest script may replace, too. */
const PRETENDED = new Set<PropertyKey>(["now", "random", "getTimezoneOffset"]);

/** A built-in class or namespace. */
type BuiltIn = object & { prototype?: object };
type Globals = Readonly<Record<string, BuiltIn | undefined>>;

const SHARED = (
  "Object Array String Number RegExp JSON Map Set WeakMap WeakSet Symbol Boolean Reflect Math BigInt Date Promise " +
  "Function"
).split(" ");

let clean: (Globals & { Function: FunctionConstructor }) | null = null;

/**
 * Restores the built-in functions that the script replaced, because every program shares them and a replacement would change how
 * the product behaves.
 */
export function restoreBuiltIns(): void {
  restoreModules();
  restoreMethods();
  try {
    clean ??= runInNewContext("globalThis") as NonNullable<typeof clean>;
  } catch {
    return;
  }
  // `toString` is taken from the clean context, because the script may have replaced it as well.
  const { prototype } = clean.Function;
  const isOwn = (fn: object): boolean =>
    /\[native code\]/.test(prototype.toString.call(fn)) || isTextOfProduct(fn);
  for (const name of SHARED) {
    const ours = (globalThis as unknown as Globals)[name];
    const theirs = clean[name];
    if (!ours || !theirs || (typeof ours === "function" && !isNative(ours))) continue;
    restoreFunctions(ours, theirs, isOwn);
    if (ours.prototype && theirs.prototype && isNative(ours))
      restoreFunctions(ours.prototype, theirs.prototype, isOwn);
  }
}

function restoreFunctions(ours: object, theirs: object, isOwn: (fn: object) => boolean): void {
  for (const key of Reflect.ownKeys(theirs)) {
    const good = Object.getOwnPropertyDescriptor(theirs, key);
    if (typeof good?.value !== "function" || key === "constructor" || PRETENDED.has(key)) continue;
    const now = valueOf(ours, key);
    if (typeof now === "function" && isOwn(now)) continue;
    try {
      Object.defineProperty(ours, key, { ...good, configurable: true });
    } catch {}
  }
}

/** Restores the product's modules that the script replaced. */
function restoreModules(): void {
  const { cache } = require;
  if (Object.keys(config.sums).length === 0) return;
  for (const file of own) {
    const now = cache[file];
    const known = modules.get(file);
    if (now === undefined || !(file.slice(config.root.length + 1) in config.sums)) continue;
    if (known === undefined && now.loaded) delete cache[file];
    if (known === undefined) continue;
    if (now !== known.module && now.exports !== known.exports) cache[file] = known.module;
    if (known.module.exports !== known.exports) known.module.exports = known.exports;
  }
}

/** Restores the methods of the product's classes that the script replaced. */
function restoreMethods(): void {
  for (const [proto, before] of beforehand)
    for (const [key, good] of before) {
      const now = Object.getOwnPropertyDescriptor(proto, key);
      if (!now || !("value" in now) || now.value === good || typeof good !== "function") continue;
      if (key === "constructor") continue;
      if (typeof now.value === "function" && isTextOfProduct(now.value as object)) before.set(key, now.value);
      else if (now.configurable) Object.defineProperty(proto, key, { ...now, value: good });
    }
  for (const proto of beforehand.keys())
    for (const key of Object.getOwnPropertyNames(proto)) restoreAccessor(proto, key);
}

/**
 * Restores a method, getter or setter of a product's class that the script replaced with a getter or setter. If the class has none
 * of this name, its instances may hold the property; then the setter lets the product set it.
 */
function restoreAccessor(proto: object, key: string): void {
  const now = propertyOf(proto, key);
  if (now?.configurable !== true || "value" in now) return;
  const good = accessors.get(proto)?.get(key);
  const isOther = (fn: Callable | undefined, before: Callable | undefined): boolean =>
    fn !== undefined && fn !== before && !isProxy(fn) && !settersForProduct.has(fn) && !isTextOfProduct(fn);
  if (!isOther(now.get, good?.get) && !isOther(now.set, good?.set)) return;
  const method = beforehand.get(proto)?.get(key);
  const isMethod = typeof method === "function";
  if (isMethod) Object.defineProperty(proto, key, { value: method, writable: true, configurable: true });
  else if (good) Object.defineProperty(proto, key, good);
  else if (now.set === undefined || !settersForProduct.has(now.set))
    Object.defineProperty(proto, key, { ...now, set: setterForProduct(key, now.set) });
}

const settersForProduct = new WeakSet<object>();

/** Returns a setter that lets the product set its own property on the instance, and passes everything else to the script's setter. */
function setterForProduct(key: string, set: Callable | undefined): (value: unknown) => void {
  const setter = function (this: object, value: unknown): void {
    if (calledByProduct())
      Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    else if (set) Reflect.apply(set, this, [value]);
  };
  settersForProduct.add(setter);
  return setter;
}

const texts = new WeakMap<object, boolean>();

/**
 * Returns whether a file of the product contains the source of a function. If so, the product itself has replaced something with
 * it.
 */
function isTextOfProduct(fn: object): boolean {
  let known = texts.get(fn);
  if (known === undefined) {
    const text = Function.prototype.toString.call(fn);
    known = [...own].some((file) => holds(file, text));
    texts.set(fn, known);
  }
  return known;
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(text);
  } catch {
    return false;
  }
}
