import { byOf, errorOf, isOfSome } from "./candidate.ts";
import { type Bag, given } from "./known-objects.ts";
import { functionOf, next, nextOfMade, remember } from "./memory.ts";
import { replacedMethod } from "./replaced.ts";
import { type Shape, thrownBy, type Thing } from "./shape.ts";

/** Makes the innermost values of an answer. `isOpen`: also the values of properties that the answer lacks. */
export type Leaf = ((shape?: Shape) => unknown) & { isOpen?: boolean };

/** The actions that follow when the script calls a method or function of a value that the deaf product has returned. */
interface Reactions {
  callBack(key: string, args: readonly unknown[]): void;
  answerOf(shape: Shape, args: readonly unknown[], by: string, origin: Leaf | undefined): unknown;
}

let reactions: Reactions;

/**
 * Sets the reactions; call it before the first value is made. The modules of calls and of values need each other, and this avoids
 * an import cycle.
 */
export function reactToCalls(made: Reactions): void {
  reactions = made;
}

const turned = (text: string): string => (text === "" ? "q" : text.replace(/[a-z0-9]/gi, nextCharacter));

function nextCharacter(character: string): string {
  if (character === "z") return "b";
  if (character === "Z") return "B";
  return character === "9" ? "3" : String.fromCharCode(character.charCodeAt(0) + 1);
}

/** Returns another value of the same shape. */
export function other(shape: Shape | undefined, leaf?: Leaf): unknown {
  if (shape === undefined) return leaf ? leaf() : inertFunction();
  switch (shape.t) {
    case "array":
      if (shape.v.length === 0) return leaf ? [] : ["q"];
      return shape.v.map((one) => other(one, leaf));
    case "object":
      return otherObject(shape, leaf);
    case "map":
      return new Map(Array.from({ length: Math.min(shape.v + 1, 8) }, (_, index) => [`q${index}`, "q"]));
    case "set":
      return new Set(Array.from({ length: Math.min(shape.v + 1, 8) }, (_, index) => `q${index}`));
    case "promise":
      return Promise.resolve(other(shape.v, leaf));
    case "iterator":
      return iterator(shape.isAsync, leaf);
    case "thing":
      return likeThing(shape, leaf);
    case "function":
      return inertFunction(leaf);
    default:
      return leaf ? leaf(shape) : otherPlain(shape);
  }
}

function otherPlain(shape: Shape): unknown {
  switch (shape.t) {
    case "null":
      return null;
    case "undefined":
      return undefined;
    case "boolean":
      return !shape.v;
    case "number":
      return shape.v + 1;
    case "bigint":
      return BigInt(shape.v) + BigInt(1);
    case "string":
      return turned(shape.v);
    case "symbol":
      return Symbol("q");
    case "date":
      return new Date(shape.v + 86_400_000);
    case "regexp":
      return /q/;
    case "error":
      return Object.assign(new Error(turned(shape.v)), { name: shape.n });
    case "bytes":
      return Buffer.alloc(shape.v + 1, 113);
    default:
      return inertFunction();
  }
}

function otherObject({ v, bare }: Extract<Shape, { t: "object" }>, leaf: Leaf | undefined): object {
  const made = (bare === true ? Object.create(null) : {}) as Bag;
  const keys = Object.keys(v);
  for (const key of keys) define(made, key, property(v[key], key, leaf));
  if (keys.length === 0 && !leaf) made["q"] = "q";
  return leaf?.isOpen === true ? open(made, leaf) : made;
}

/** Returns the value of a property. The name of one that holds a function distinguishes the calls of the function. */
const property = (shape: Shape | undefined, name: string, leaf: Leaf | undefined): unknown =>
  shape?.t === "function" ? inertFunction(leaf, name) : other(shape, leaf);

function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Returns an object whose missing properties `leaf` makes, because the script may read properties that the product's answer lacks.
 */
function open(made: object, leaf: Leaf): object {
  return new Proxy(made, {
    get: (from, key, receiver) =>
      key in from || typeof key === "symbol" || key === "then" || key === "toJSON"
        ? (Reflect.get(from, key, receiver) as unknown)
        : leaf(),
  });
}

/** Returns an iterator that yields the value of `leaf`, or nothing without `leaf`. */
function iterator(isAsync: boolean, leaf: Leaf | undefined): unknown {
  const values = leaf ? [leaf()] : [];
  if (!isAsync) return values[Symbol.iterator]();
  return (async function* (): AsyncGenerator {
    yield* values;
  })();
}

/** Returns an object with the methods and properties of another one. */
function likeThing({ v = {}, methods = {}, n }: Thing, leaf: Leaf | undefined): object {
  const made = {};
  for (const key of Object.keys(v)) define(made, key, property(v[key], key, leaf));
  for (const key of Object.keys(methods)) {
    const silent = (...args: unknown[]): unknown => {
      const method = `${String(n)}.${key}`;
      const call = next(method);
      const by = byOf(call, args);
      const known = remember().get(by) ?? remember().get(method);
      reactions.callBack(call, args);
      if (known?.t === "self") return made;
      if (isOfSome && known) return reactions.answerOf(known, args, by, leaf);
      if (known && (known.t === "thing" || !leaf)) return other(known, leaf);
      const value = leaf ? leaf() : inertFunction();
      return methods[key] === true ? Promise.resolve(value) : value;
    };
    const value = replacedMethod(key) ?? silent;
    Object.defineProperty(made, key, { value, writable: true, configurable: true });
  }
  return made;
}

/**
 * Returns a function that accepts every call and every property without an effect. `leaf` makes the values that its calls return;
 * `name`: the property that holds it.
 */
export const inertFunction = (leaf?: Leaf, name?: string): object => inert(function q() {}, leaf, name);

/** Returns an object that accepts every property without an effect. `leaf` makes the values that its methods return. */
export const inertObject = (leaf?: Leaf): object => inert({}, leaf);

function inert(target: object, leaf: Leaf | undefined, name?: string): object {
  const values = new Map<PropertyKey, unknown>();
  const proxy = new Proxy(target, {
    get(from, key) {
      if (values.has(key)) return values.get(key);
      if (key === "then" || key === "toJSON") return undefined;
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === "number" ? 7 : "q");
      if (key === Symbol.iterator) return function* () {};
      if (typeof key === "symbol") return undefined;
      if (key === "prototype" && typeof target === "function")
        return (from as { prototype?: unknown }).prototype;
      if (key === "length") return 1;
      if (key === "constructor") return Object;
      if (key === "toString" || key === "valueOf") return () => "q";
      values.set(key, inertFunction(leaf));
      return values.get(key);
    },
    set(_, key, value) {
      values.set(key, value);
      return true;
    },
    has: (_, key) => values.has(key),
    apply: (_, __, args: unknown[]) => {
      const call = nextOfMade(name);
      const by = byOf(call, args);
      reactions.callBack(call, args);
      const known = remember().get(by);
      if (leaf === same && isOfSome && known !== undefined)
        return reactions.answerOf(known, args, by, undefined);
      const make = leaf ?? ((): unknown => inertFunction());
      // A script that compares a promise, because it forgot to await it, must not be satisfied.
      const isPromised = (known ?? remember().get(functionOf(call)))?.t === "promise";
      return isPromised ? Promise.resolve().then(() => make()) : make();
    },
    construct: () => inertObject(leaf),
  });
  given.add(proxy);
  return proxy;
}

/** Returns the value that the shape records. */
export function same(shape: Shape | undefined): unknown {
  switch (shape?.t) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return shape.v;
    case "number":
      return shape.x === undefined ? shape.v : Number(shape.x);
    case "bigint":
      return BigInt(shape.v);
    case "date":
      return new Date(shape.v);
    case "regexp":
      return new RegExp(...shape.v);
    default:
      return other(shape);
  }
}

/** Returns what the whole product returned, or throws what it threw. */
export function keptAnswer(shape: Shape | undefined): unknown {
  const thrown = thrownBy(shape);
  if (thrown !== null) throw errorOf(thrown.name, thrown.message);
  return other(shape, same);
}
