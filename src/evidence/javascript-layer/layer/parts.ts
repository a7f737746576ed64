import { candidateText, candidateValue, only } from "./candidate.ts";
import { type Bag, isObject, isProxy } from "./known-objects.ts";
import type { Shape, Shapes } from "./shape.ts";
import { keptAnswer, same } from "./values.ts";

/**
 * Returns the whole product's answer with the properties of the candidate, at any depth. If the product returned nothing or threw,
 * the candidate itself is the answer. `isKnown`: the whole product has answered this call; otherwise the answer gets all properties.
 */
export function withFields(shape: Shape | undefined, isKnown: boolean): unknown {
  if (shape?.t === "null" || shape?.t === "undefined") return candidateValue([]);
  const given = (candidateValue([]) ?? {}) as Readonly<Record<string, unknown>>;
  const whole = shape?.t === "array" || shape?.t === "object" || shape?.t === "thing" ? shape.v : undefined;
  const put = (made: Bag, inner: Shapes | readonly Shape[]): Bag => {
    for (const name of Object.keys(given))
      if (name in made || (!isKnown && inner === whole)) made[name] = given[name];
    for (const [name, one] of Object.entries(inner))
      if (!(name in given) && (one.t === "array" || one.t === "object")) put(made[name] as Bag, one.v);
    return made;
  };
  const made = keptAnswer(shape);
  return whole && !isProxy(made) ? put(made as Bag, whole) : made;
}

type List = Extract<Shape, { t: "array" | "object" }>;

const isList = (shape: Shape | undefined): shape is List => shape?.t === "array" || shape?.t === "object";

/**
 * Returns the whole product's answer with the candidate instead of some lists and objects in it: those directly in the answer
 * (`inside`) or those that contain no others (`innermost`). `sized`: the lists, and the objects that contain no others, get the
 * number of elements that the candidate states.
 */
export function withParts(shape: Shape | undefined): unknown {
  if (shape?.t !== "thing") return isList(shape) ? withPart(shape, 0) : keptAnswer(shape);
  const made = keptAnswer(shape) as Bag;
  for (const [name, inner] of Object.entries(shape.v ?? {}))
    if (isList(inner)) made[name] = withPart(inner, 1);
  return made;
}

function withPart(shape: Shape, depth: number): unknown {
  if (!isList(shape)) return same(shape);
  const values: Shape[] = Object.values(shape.v);
  const holdsLists = values.some(isList);
  if (only === "inside" && depth === 1) return candidateValue([]);
  if (only === "innermost" && depth > 0 && !holdsLists) return candidateValue([]);
  const isSized = only === "sized" && (shape.t === "array" || !holdsLists);
  const size = isSized ? Number(candidateText) : values.length;
  const names = Object.keys(shape.v);
  const parts = Array.from({ length: size }, (_, at): [string, unknown] => {
    const inner = values[Math.min(at, values.length - 1)] ?? { t: "string", v: "q" };
    return [names[at] ?? `q${at}`, withPart(inner, depth + 1)];
  });
  return shape.t === "array" ? parts.map(([, value]) => value) : Object.fromEntries(parts);
}

/** Makes the candidate of a plain object or list that a call was given. Returns whether it did. */
export function fillArgument(value: unknown): boolean {
  const made = candidateValue([]);
  if (!isObject(value) || !isObject(made) || isProxy(value)) return false;
  if (Array.isArray(value) !== Array.isArray(made) || Object.isFrozen(value)) return false;
  for (const name of Object.keys(value)) if (!(name in made)) Reflect.deleteProperty(value, name);
  Object.assign(value, Array.isArray(made) ? { length: made.length } : {}, made);
  return true;
}
