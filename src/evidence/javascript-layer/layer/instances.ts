import { answer, answerOf } from "./answers.ts";
import { byOf, candidateValue, isLeaf, isOfSome, only, throwsAt } from "./candidate.ts";
import { calledByProduct } from "./caller.ts";
import { candidate, isDeaf, isListening } from "./config.ts";
import {
  type Bag,
  beforehand,
  given,
  hasOwn,
  isProxy,
  layered,
  type Property,
  propertyOf,
  prototypeOf,
  valueOf,
} from "./known-objects.ts";
import { listen, noteGiven } from "./listening.ts";
import { next, note, remember } from "./memory.ts";
import { datumBesideOr } from "./script-data.ts";
import type { Shape, Shapes } from "./shape.ts";
import { shapeOf } from "./shape-of.ts";
import { inert, keptAnswer, type Leaf } from "./values.ts";

/** Ends the key under which the fields of a new instance are noted. */
export const FIELDS = " fields";

type Fields = Extract<Shape, { t: "fields" }>;

/** What the deaf product knows of a new instance. */
export interface KnownFields {
  readonly fields: Fields | undefined;
  readonly by: string;
  readonly origin: Leaf;
}

/** A class of the product, or something else with a prototype. */
interface Class {
  readonly prototype: object;
}

/** Throws the candidate if this instance gets it: a class that should refuse its arguments does so when an instance is made. */
export function throwAsConstructor(key: string, args: readonly unknown[]): void {
  remember();
  if (isOfSome && throwsAt(byOf(key + FIELDS, args))) candidateValue(args);
}

/** Gives an instance that the product exports a layer. */
export function layeredInstance(value: object, name: string): object {
  const prototype = prototypeOf(value) as object;
  if (isDeaf) {
    const known = layered.get(value) ?? deafInstance({ prototype }, name, { prototype }, { exported: value });
    layered.set(value, known);
    return known;
  }
  if (!isListening) noteGiven();
  listen(prototype, name);
  return value;
}

/**
 * Returns an instance of a class of the product that answers in its place. Methods that the script put there itself still work.
 * `made`: the class that the script creates, which may extend the product's.
 */
export function deafInstance(
  target: Class,
  name: string,
  made: Class,
  { exported, known }: { exported?: object; known?: KnownFields },
): object {
  const { prototype: proto } = made;
  const { fields, by, origin } = known ?? {};
  const before = beforehand.get(target.prototype);
  const bare = Object.create(proto ?? Object.prototype) as Bag;
  const put = ((only === "fields" && candidateValue([])) || {}) as Bag;
  if (fields)
    showFields(bare, fields, (key, shape) => (hasOwn(put, key) ? put[key] : answerOf(shape, [], by, origin)));
  const proxy = new Proxy(bare, {
    get(from, key, receiver): unknown {
      if (exported && calledByProduct()) return Reflect.get(exported, key, exported);
      if (hasOwn(from, key)) return Reflect.get(from, key, receiver);
      if (key === "then" || typeof key === "symbol") return undefined;
      if (key === "constructor") return typeof target === "function" ? target : proto.constructor;
      const field = exported && propertyOf(exported, key);
      const found = field ?? inherited(proto, key);
      const now = found?.value;
      if (!field && now !== undefined && before && before.get(key) !== now) return now;
      const method = `${name}.${key}`;
      const silent = (...args: unknown[]): unknown => answer(next(method), method, args, proxy, origin);
      if (hasOwn(put, key)) return typeof now === "function" ? () => put[key] : put[key];
      if (typeof now === "function") return silent;
      if (field && !field.get) return answerOf(shapeOf(now, 0), [], undefined);
      if (found) return answer(next(method), method, [], undefined, origin);
      if (fields && hasOwn(fields.v, key) && fields.v[key]?.t === "function") return silent;
      return candidate === null || !isLeaf ? undefined : candidateValue([]);
    },
  });
  given.add(proxy);
  return proxy;
}

const inherited = (proto: object | null, key: string): Property | undefined =>
  proto ? (propertyOf(proto, key) ?? inherited(prototypeOf(proto), key)) : undefined;

/** A script that looks at what an instance holds, and not at its values, finds what the whole one holds. */
function showFields(
  bare: object,
  { v, symbols }: Fields,
  answered: (key: string, shape: Shape) => unknown,
): void {
  const show = (key: PropertyKey, get: () => unknown): void => {
    const set = (value: unknown): void => {
      Object.defineProperty(bare, key, { value, enumerable: true, writable: true, configurable: true });
    };
    Object.defineProperty(bare, key, { get, set, enumerable: true, configurable: true });
  };
  for (const [key, shape] of Object.entries(v))
    if (shape.t !== "function") show(key, () => answered(key, shape));
  for (let count = 0; count < symbols; count += 1) show(Symbol("q"), () => inert());
}

/** Notes the data that a new instance holds itself, with which no call answers. */
export function noteFields(key: string, name: string, args: readonly unknown[], instance: object): void {
  const v: Shapes = {};
  const names = isProxy(instance)
    ? []
    : Object.getOwnPropertyNames(instance).filter((one) => !one.startsWith("_"));
  for (const one of names.slice(0, 40)) {
    const value = valueOf(instance, one);
    const outside = shapeOf(value, 5);
    v[one] = outside.t === "thing" ? outside : shapeOf(value, 3);
  }
  const symbols = isProxy(instance) ? 0 : Object.getOwnPropertySymbols(instance).length;
  note(key + FIELDS, name + FIELDS, { t: "fields", v, symbols }, { by: byOf(key + FIELDS, args) });
}

/** Returns what the deaf product knows of a new instance, and notes it as the whole product does. */
export function fieldsOf(key: string, name: string, args: readonly unknown[]): KnownFields {
  const calls = remember();
  const by = byOf(key + FIELDS, args);
  const shape = calls.get([by, key + FIELDS].find((one) => calls.has(one)) ?? name + FIELDS);
  note(key + FIELDS, name + FIELDS, shape, { by });
  const fields = shape as Fields | undefined;
  return { fields, by, origin: (inner) => datumBesideOr(args, inner, () => keptAnswer(inner)) };
}
