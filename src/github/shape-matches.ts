import type { SecretShape } from "./secret-shapes.ts";

/** An index of a list of shapes: from the first two characters of an anchor to the anchor and its shape. */
interface Anchors {
  /** Indexes into `lists`, keyed by two characters; 0: no anchor begins with them. */
  begins: Uint8Array;
  /** The anchors, keyed by the numbers in `begins`. */
  lists: readonly { anchor: string; shape: SecretShape }[][];
}

const MAX_CODE = 0x80;
const WILDCARD = "?";
const known = new WeakMap<readonly SecretShape[], Anchors>();

/**
 * Returns the matches of the shapes in the text. A pattern is tried only if one of its anchors or its hint occurs in the text.
 */
export function shapeMatches(shapes: readonly SecretShape[], text: string): RegExpExecArray[] {
  return possible(shapes, text).flatMap(({ pattern }) => Array.from(text.matchAll(pattern)));
}

/** Returns whether the text contains a match of one of the shapes. */
export function hasShape(shapes: readonly SecretShape[], text: string): boolean {
  return possible(shapes, text).some(({ pattern }) => text.search(pattern) !== -1);
}

function possible(shapes: readonly SecretShape[], text: string): SecretShape[] {
  const found = anchored(shapes, text);
  return shapes.filter(
    (shape) => found.has(shape) || (shape.anchors === undefined && (shape.hint?.test(text) ?? true)),
  );
}

function anchored(shapes: readonly SecretShape[], text: string): Set<SecretShape> {
  const { begins, lists } = anchorsOf(shapes);
  const found = new Set<SecretShape>();
  // A character above U+00FF becomes a different character, which can only add a false anchor, never hide a real one.
  const bytes = Buffer.from(text, "latin1");
  let before = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const begun = begins[((before & 0x7f) << 7) | (byte & 0x7f)] as number;
    before = byte;
    if (begun === 0) continue;
    for (const { anchor, shape } of lists[begun] ?? [])
      if (!found.has(shape) && isAnchorAt(bytes, at - 1, anchor)) found.add(shape);
  }
  return found;
}

function isAnchorAt(bytes: Uint8Array, from: number, anchor: string): boolean {
  for (let at = 2; at < anchor.length; at += 1)
    if (anchor[at] !== WILDCARD && anchor.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

function anchorsOf(shapes: readonly SecretShape[]): Anchors {
  const made = known.get(shapes);
  if (made !== undefined) return made;
  const begins = new Uint8Array(MAX_CODE * MAX_CODE);
  const lists: { anchor: string; shape: SecretShape }[][] = [[]];
  for (const shape of shapes) {
    for (const anchor of shape.anchors ?? []) {
      const pair = (anchor.charCodeAt(0) << 7) | anchor.charCodeAt(1);
      if (begins[pair] === 0) begins[pair] = lists.push([]) - 1;
      lists[begins[pair] as number]?.push({ anchor, shape });
    }
  }
  known.set(shapes, { begins, lists });
  return { begins, lists };
}
