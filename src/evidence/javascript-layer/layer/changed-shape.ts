import { candidateText, evaluated } from "./candidate.ts";
import type { Shape, Shapes } from "./shape.ts";

/**
 * Returns the record of an answer with one of the differences that a script often looks for: its numbers are whole, its texts
 * have no white space at their ends, its lists have no element twice, its lists and the keys of its objects are sorted, or its
 * objects, also those in a JSON text, lack a property.
 */
export function changedShape(shape: Shape): Shape {
  switch (shape.t) {
    case "number":
      return candidateText === "rounded" ? { ...shape, v: Math.round(shape.v) } : shape;
    case "string":
      return { t: "string", v: changedText(shape.v) };
    case "array":
      return { t: "array", v: changedList(shape.v.map(changedShape)) };
    case "object":
    case "thing":
      return shape.v === undefined ? shape : { ...shape, v: changedProperties(shape.v) };
    case "promise":
      return { t: "promise", v: changedShape(shape.v) };
    default:
      return shape;
  }
}

function changedText(text: string): string {
  if (candidateText === "trimmed") return text.trim();
  const name = omittedName();
  if (name === null || !/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === name ? undefined : value)));
  } catch {
    return text;
  }
}

/** Returns the name of the property to omit; null: no property. */
function omittedName(): unknown {
  const omitted = /^without (.*)$/s.exec(candidateText)?.[1];
  return omitted === undefined ? null : evaluated(omitted);
}

function changedList(list: Shape[]): Shape[] {
  const texts = list.map((one) => JSON.stringify(one));
  if (candidateText === "unique")
    return list.filter((_, index) => texts.indexOf(texts[index] as string) === index);
  if (candidateText === "sorted") return [...list].sort(inOrder);
  return list;
}

function inOrder(one: Shape, two: Shape): number {
  if (one.t === "number" && two.t === "number") return one.v - two.v;
  const [first, second] = [one, two].map((shape) => (shape.t === "string" ? shape.v : JSON.stringify(shape)));
  return String(first) < String(second) ? -1 : Number(first !== second);
}

function changedProperties(properties: Shapes): Shapes {
  const name = omittedName();
  const kept = Object.entries(properties).filter(([key]) => key !== name);
  if (candidateText === "sorted") kept.sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(kept.map(([key, inner]) => [key, changedShape(inner)]));
}
