import { answer, answerOf } from "./answers.ts";
import { byOf, candidateValue, isFirst, isLast, isLeaf, isOfSome, only, throwsAt } from "./candidate.ts";
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
import { iteratorOf, listen, noteGiven } from "./listening.ts";
import { next, note, remember } from "./memory.ts";
import { datumBesideOr } from "./script-data.ts";
import { type Shape, type Shapes, thrownBy } from "./shape.ts";
import { errorShape, shapeOf } from "./shape-of.ts";
import { inertFunction, keptAnswer, type Leaf, other } from "./values.ts";

/** The end of the key under which the fields of a new instance are recorded. */
export const FIELDS = " fields";

type Fields = Extract<Shape, { t: "fields" }>;

/** The recorded facts about a new instance of the whole product. `shape`: its fields, or what its constructor threw. */
export interface KnownFields {
  readonly shape: Shape | undefined;
  readonly fields: Fields | undefined;
  readonly by: string;
  readonly origin: Leaf;
}

/** A class of the product, or another object with a prototype. */
interface Class {
  readonly prototype: object;
}

/** The candidates for some calls under which the other calls keep the whole product's answers. */
const KEEPING = new Set([
  "last",
  "first",
  "threw",
  "records",
  "turns",
  "booleans",
  "said",
  "changed",
  "given",
  "effects",
]);

/**
 * Throws the candidate if this call of a constructor gets it, because a class that should refuse its arguments throws when an instance
 * is made. If another call gets the candidate, throws what the whole product's constructor threw.
 */
export function throwAsConstructor({ by, shape }: KnownFields, args: readonly unknown[]): void {
  if (!isOfSome) return;
  if (throwsAt(by)) candidateValue(args);
  if (thrownBy(shape) === null || !KEEPING.has(String(only))) return;
  if (only === "threw") candidateValue(args);
  else if (!(only === "last" && isLast(by)) && !(only === "first" && isFirst(by))) keptAnswer(shape);
}

/** Gives a layer to an instance that the product exports. */
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
 * Returns a deaf instance of a class of the product. Methods that the script has replaced still work. `made`: the class that the
 * script instantiates, which may extend the product's.
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
      if (key === Symbol.iterator && inherited(proto, key)) return () => elementsOf(iteratorOf(name), origin);
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

/**
 * Returns an iterator over the elements with which the deaf product answers. An answer without elements would satisfy a script that
 * prints its text for every element, so other elements replace it.
 */
function elementsOf(method: string, origin: Leaf | undefined): unknown {
  const made = answer(next(method), method, [], undefined, origin);
  const isFilled = Array.isArray(made) && made.length > 0;
  const elements = isFilled ? made : other(remember().get(method));
  return (Array.isArray(elements) ? (elements as readonly unknown[]) : [])[Symbol.iterator]();
}

const inherited = (proto: object | null, key: PropertyKey): Property | undefined =>
  proto ? (propertyOf(proto, key) ?? inherited(prototypeOf(proto), key)) : undefined;

/**
 * Gives the instance the same properties as the whole product's instance has, with other values, because a script may check which
 * properties there are.
 */
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
  for (let count = 0; count < symbols; count += 1) show(Symbol("q"), () => inertFunction());
}

/** Records the fields of a new instance, because no call returns them. */
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

/** Records that a constructor threw. The name of the class keeps the fields of an earlier instance. */
export function noteRefusal(key: string, args: readonly unknown[], error: unknown): void {
  note(key + FIELDS, undefined, errorShape(error), { by: byOf(key + FIELDS, args) });
}

/** Returns the recorded facts about a new instance, and records them again as the whole product does. */
export function fieldsOf(key: string, name: string, args: readonly unknown[]): KnownFields {
  const calls = remember();
  const by = byOf(key + FIELDS, args);
  const shape = calls.get([by, key + FIELDS].find((one) => calls.has(one)) ?? name + FIELDS);
  note(key + FIELDS, thrownBy(shape) === null ? name + FIELDS : undefined, shape, { by });
  const fields = shape?.t === "fields" ? shape : undefined;
  return { shape, fields, by, origin: (inner) => datumBesideOr(args, inner, () => keptAnswer(inner)) };
}
