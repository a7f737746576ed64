import { calledByProduct, calledByScript, inside, isInner } from "./caller.ts";
import { isListening, recordsArguments } from "./config.ts";
import { eachGiven, gives, isBound, MAX_RUNS } from "./functions-given.ts";
import { restoreBuiltIns } from "./built-ins.ts";
import { byOf } from "./candidate.ts";
import {
  accessors,
  type Bag,
  beforehand,
  type Callable,
  classNames,
  functionsIn,
  hasOwn,
  heard,
  isInstance,
  isLayers,
  isObject,
  isOfProduct,
  isProxy,
  propertyOf,
  prototypeOf,
  raw,
  textOf,
  wrappers,
} from "./known-objects.ts";
import { functionOf, isFull, isOfMade, next, nextOfMade, note, noteArguments, noteFact } from "./memory.ts";
import { whileWatched } from "./effects-of-given.ts";
import { watchArguments } from "./effects-on-arguments.ts";
import type { Shape } from "./shape.ts";
import { errorShape, MAX_ELEMENTS, methodsOf, shapeOf } from "./shape-of.ts";

let hasGiven = false;
const runsOf = new Map<string, number>();

/** Records once that the script has given functions to the product, or the product has given some to the script. */
export function noteGiven(): void {
  if (!hasGiven) note("given", undefined, { t: "undefined" });
  hasGiven = true;
}

/** Replaces each given function with one that records its runs. */
function listenToGiven(args: readonly unknown[], key: string): void {
  eachGiven(args, key, ({ fn, id, holder, name, descriptor }) => {
    noteGiven();
    // For example to take a listener off.
    if (wrappers.has(fn)) noteFact("again");
    if (holder === null) return noteRun(id, "proxy", []);
    const noted = notedFunction(fn, id);
    try {
      if (descriptor === null) (holder as Bag)[name] = noted;
      else if (descriptor.get) Object.defineProperty(holder, name, { ...descriptor, get: noted });
      else Object.defineProperty(holder, name, { ...descriptor, value: noted });
    } catch {}
  });
}

/** Whether a bound function of the script is about to call the function that it binds, which is then not the product's call. */
let isInBound = false;

function notedFunction(fn: Callable, id: string): Callable {
  const known = wrappers.get(fn);
  if (known !== undefined) return known as Callable;
  const noted: Callable = new Proxy(fn, {
    apply(target, self, args: unknown[]) {
      const isOfBound = isInBound;
      isInBound = false;
      if (isOfBound || calledByScript()) return Reflect.apply(target, self, args);
      noteRun(id, "call", args);
      isInBound = isBound(fn);
      try {
        return whileWatched(() => Reflect.apply(target, self, args));
      } catch (error) {
        note(undefined, undefined, undefined, { threw: id });
        throw error;
      } finally {
        isInBound = false;
      }
    },
    construct(target, args: unknown[], made) {
      if (!calledByScript()) noteRun(id, "new", args);
      return Reflect.construct(target, args, made === noted ? target : made) as object;
    },
  });
  wrappers.set(fn, noted);
  wrappers.set(noted, noted);
  return noted;
}

function noteRun(id: string, how: string, args: readonly unknown[]): void {
  const count = (runsOf.get(id) ?? 0) + 1;
  runsOf.set(id, count);
  if (count > MAX_RUNS) return;
  const shapes = args.slice(0, 8).map((one) => shapeOf(one, 2));
  note(undefined, undefined, undefined, {
    runs: id,
    how,
    during: inside[inside.length - 1] ?? null,
    args: shapes,
  });
}

/** Makes a call of the product from outside of it, and records the functions that it is given. */
export function inCall<T>(key: string, args: readonly unknown[], call: () => T): T {
  const isNoted = !isFull();
  inside.push(key);
  try {
    if (isNoted && isListening) listenToGiven(args, key);
    else if (isNoted && !hasGiven && gives(args)) noteGiven();
    const result = call();
    if (isNoted && isListening) return listenToResult(result);
    if (isNoted && !hasGiven && (isInstance(result) || functionsIn(result).length > 0)) noteGiven();
    return result;
  } finally {
    inside.pop();
  }
}

/** Records the calls of a result's methods and functions as well. */
function listenToResult<T>(result: T): T {
  if (typeof result === "function" && !isLayers(result))
    return listenedFunction(result as unknown as Callable, () => "inert") as unknown as T;
  const proto = isInstance(result) ? prototypeOf(result) : null;
  if (proto !== null) listen(proto, classNames.get(proto) ?? `class ${proto.constructor?.name || "q"}`);
  const methods = proto === null ? {} : methodsOf(proto);
  const holder = result as Bag;
  for (const name of functionsIn(result))
    try {
      const nextKey = (): string =>
        name in methods ? next(`${String(classNames.get(proto as object))}.${name}`) : nextOfMade(name);
      holder[name] = listenedFunction(holder[name] as Callable, nextKey);
    } catch {}
  return result;
}

/** Returns a function that records its calls under `nextKey`. A deaf product uses the same keys. */
function listenedFunction(fn: Callable, nextKey: () => string): Callable {
  if (wrappers.has(fn) || raw.has(fn)) return fn;
  const listened = new Proxy(fn, {
    apply(target, self, args: unknown[]) {
      const call = (): unknown => Reflect.apply(target, self, args);
      if (calledByProduct()) return call();
      const key = nextKey();
      // The answers of a class's methods are recorded by its prototype.
      return isOfMade(key) ? passOn(call, key, functionOf(key), args) : inCall(key, args, call);
    },
  });
  wrappers.set(listened, listened);
  return listened;
}

/** Passes a call on to the product and records its answer. */
export function passOn(
  call: () => unknown,
  key: string,
  last: string,
  args: readonly unknown[],
  self?: unknown,
): unknown {
  noteArguments(key, last, args);
  const by = byOf(key, args);
  const changedArguments = watchArguments(isFull() ? [] : args);
  const facts = (): object => {
    const changed = changedArguments();
    return changed.length === 0 ? { by } : { by, changed };
  };
  try {
    const result = inCall(key, args, call);
    if (result !== undefined && result === self) {
      note(key, last, { t: "self" }, facts());
      return result;
    }
    if (result instanceof Promise) return noteLater(result, key, last, by);
    note(key, last, shapeOf(result, 0), facts());
    return result;
  } catch (error) {
    const shape = errorShape(error);
    const more = { ...facts(), ...nothingGiven(args, shape.threw) };
    note(key, last, recordsArguments ? { t: "thrown", v: shape.threw } : shape, more);
    throw error;
  }
}

/** Returns the first argument if it is null or undefined and the error says so: "Cannot read properties of null". */
function nothingGiven([first]: readonly unknown[], message: string): { nothing?: string } {
  if (first !== null && first !== undefined) return {};
  const value = textOf(first);
  return message.includes(value) ? { nothing: value } : {};
}

function noteLater(result: Promise<unknown>, key: string, last: string, by: string): Promise<unknown> {
  const resolved = (value: unknown): unknown => {
    note(key, last, { t: "promise", v: shapeOf(value, 0) }, { by });
    if (isListening) return listenToResult(value);
    if (functionsIn(value).length > 0) noteGiven();
    return value;
  };
  const rejected = (error: unknown): void => note(key, last, { t: "promise", v: errorShape(error) }, { by });
  if (Object.getPrototypeOf(result) === Promise.prototype && Object.keys(result).length === 0) {
    note(undefined, last, { t: "promise", v: { t: "undefined" } });
    // The rejection is passed on to the caller, because catching it here would count as handling it.
    return result.then(resolved, (error: unknown) => {
      rejected(error);
      throw error;
    });
  }
  void result.then(resolved, rejected);
  return result;
}

/** Returns the name of the object's own class, because several classes may inherit a method. */
function classNameOf(self: unknown, otherwise: string): string {
  const isKnown = isObject(self) && !isProxy(self);
  return (isKnown && classNames.get(prototypeOf(self) as object)) || otherwise;
}

/** Records the answers of a class's methods to calls from outside of the product. */
export function listen(proto: object, name: string): void {
  if (!classNames.has(proto)) classNames.set(proto, name);
  // If the prototype is the exports of another file, its methods are recorded as those of the class.
  const behind = raw.get(proto);
  if (behind !== undefined) return listen(behind, name);
  if (isListening && !heard.has(proto)) ownMethods(proto);
  for (let one: object | null = proto; one && prototypeOf(one) && !heard.has(one); one = prototypeOf(one)) {
    if (!isOfProduct(one)) continue;
    heard.add(one);
    for (const key of Object.getOwnPropertyNames(one)) listenToMethod(one, key, name, beforehand.get(proto));
    listenToIterator(one, name);
  }
}

/** Records the elements that the script gets when it iterates over an instance. */
function listenToIterator(proto: object, name: string): void {
  const found = propertyOf(proto, Symbol.iterator);
  if (!found?.configurable || typeof found.value !== "function") return;
  const value = new Proxy(found.value as Callable, {
    apply(target, self, args: unknown[]) {
      const elements = Reflect.apply(target, raw.get(self as object) ?? self, args) as Iterator<unknown>;
      if (calledByProduct() || isInner()) return elements;
      const method = iteratorOf(classNameOf(self, name));
      return recordedElements(elements, next(method), method);
    },
  });
  Object.defineProperty(proto, Symbol.iterator, { ...found, value });
}

/** Returns the name under which the elements of a class's instances are recorded. */
export const iteratorOf = (name: string): string => `${name}.@@iterator`;

/** Passes on the elements. The first one is recorded before the script gets it, because the script may end there. */
function* recordedElements(elements: Iterator<unknown>, key: string, last: string): Generator {
  const seen: Shape[] = [];
  const by = byOf(key, []);
  const record = (): void => note(key, last, { t: "array", v: seen }, { by });
  try {
    for (const one of { [Symbol.iterator]: () => elements }) {
      if (seen.length < MAX_ELEMENTS) seen.push(shapeOf(one, 1));
      if (seen.length === 1) record();
      yield one;
    }
  } finally {
    if (seen.length !== 1) record();
  }
}

function listenToMethod(
  proto: object,
  key: string,
  name: string,
  before: Map<string, unknown> | undefined,
): void {
  const found = propertyOf(proto, key);
  if (!found?.configurable || key === "constructor") return;
  if (before && "value" in found && before.get(key) !== found.value) return;
  const heardBy = (real: Callable): Callable =>
    new Proxy(real, {
      apply(target, self, args: unknown[]) {
        const call = (): unknown => Reflect.apply(target, raw.get(self as object) ?? self, args);
        if (calledByProduct() || isInner()) return call();
        restoreBuiltIns();
        const method = `${classNameOf(self, name)}.${key}`;
        return passOn(call, next(method), method, args, self);
      },
    });
  if (typeof found.value === "function") {
    const listened = heardBy(found.value as Callable);
    Object.defineProperty(proto, key, { ...found, value: listened });
    for (const [owner, methods] of beforehand)
      if (
        methods.get(key) === found.value &&
        (owner === proto || Object.prototype.isPrototypeOf.call(proto, owner))
      )
        methods.set(key, listened);
  } else if (found.get) {
    const listened = { ...found, get: heardBy(found.get) };
    Object.defineProperty(proto, key, listened);
    if (accessors.get(proto)?.has(key) === true) accessors.get(proto)?.set(key, listened);
  }
}

/**
 * Makes the methods that a class inherits from built-in classes (such as those for events and streams) its own, so that their calls
 * can be recorded.
 */
function ownMethods(proto: object): void {
  for (let one = prototypeOf(proto); one && prototypeOf(one); one = prototypeOf(one))
    for (const key of isOfProduct(one) ? [] : Object.getOwnPropertyNames(one)) {
      const found = propertyOf(one, key);
      const inherited = found?.value;
      if (
        typeof inherited !== "function" ||
        key === "constructor" ||
        key.startsWith("_") ||
        hasOwn(proto, key)
      )
        continue;
      const value = function (this: unknown, ...args: unknown[]): unknown {
        return Reflect.apply(inherited, this, args);
      };
      Object.defineProperty(proto, key, { ...found, enumerable: false, configurable: true, value });
      beforehand.get(proto)?.set(key, value);
    }
}
