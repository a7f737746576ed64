import { candidate } from "./config.ts";
import { candidateText, evaluated, leavesOf } from "./candidate.ts";
import { remember } from "./memory.ts";
import type { Shape } from "./shape.ts";
import { shapeOf } from "./shape-of.ts";
import { same } from "./values.ts";

/** A value in the script's text. `isInner`: it is neither a list nor an object. */
interface Datum {
  value: unknown;
  isInner: boolean;
}

/** A place of the script's output where an answer may be: its words, and those of them that are expected values. */
interface PlaceOfOutput {
  words: readonly string[];
  wanted: readonly string[];
}

let data: Datum[] | null = null;

/** Returns the data in the script's text, in order. */
function dataOfScript(): Datum[] {
  data ??= (candidate?.data ?? []).flatMap((expression) => {
    try {
      return [{ value: evaluated(expression), isInner: !/^[[{]/.test(expression) }];
    } catch {
      return [];
    }
  });
  return data;
}

let argumentsOfAll: (readonly string[])[] | null = null;

/**
 * Returns the arguments in which calls with the same number of arguments differ, because a table of cases does not repeat a
 * constant option.
 */
function differing(leaves: readonly string[]): string[] {
  argumentsOfAll ??= [...remember().keys()].flatMap((by) => {
    try {
      return [JSON.parse(by.slice(by.indexOf("["))) as string[]];
    } catch {
      return [];
    }
  });
  const alike = argumentsOfAll.filter(({ length }) => length === leaves.length);
  return leaves.filter((leaf, index) => alike.some((one) => one[index] !== leaf));
}

/**
 * Returns the datum right before or after the arguments of a call in the script's text, which is the expected answer in a table of
 * cases; null: there is none.
 */
export function datumBeside(args: readonly unknown[], shape: Shape | undefined): { value: unknown } | null {
  const leaves = leavesOf(args);
  const all = dataOfScript();
  const inner = all.flatMap(({ value, isInner }, index) => (isInner ? [{ text: String(value), index }] : []));
  const beginnings = leaves.map((_, index) => leaves.slice(0, -1 - index)).filter(({ length }) => length > 1);
  for (const words of [leaves, differing(leaves), ...beginnings, leaves.slice(-1)]) {
    const found = besideWords(words, inner).flatMap((index) => all[index] ?? []);
    const alike = found.find(({ value }) => shapeOf(value, 0).t === shape?.t);
    const one = alike ?? (candidateText === "alike" ? undefined : found[0]);
    if (one !== undefined) return { value: one.value };
  }
  return null;
}

/** Returns, for each place where these words follow each other, the index of the datum before or after it. */
function besideWords(words: readonly string[], inner: readonly { text: string; index: number }[]): number[] {
  const found: number[] = [];
  for (let at = 0; words.length > 0 && at + words.length <= inner.length; at += 1) {
    if (!words.every((one, index) => inner[at + index]?.text === one)) continue;
    const before = inner[at - 1];
    const last = inner[at + words.length - 1];
    if (candidateText !== "before") found.push((last?.index ?? 0) + 1);
    else if (before !== undefined) found.push(before.index);
  }
  return found;
}

export function datumBesideOr(
  args: readonly unknown[],
  shape: Shape | undefined,
  otherwise: () => unknown,
): unknown {
  const found = datumBeside(args, shape);
  return found === null ? otherwise() : found.value;
}

/** Returns whether the script's text contains this answer. */
export function isNamed(shape: Shape | undefined): boolean {
  const text = (one: Shape | undefined): string | undefined =>
    JSON.stringify(one?.t === "string" ? { ...one, v: one.v.trim() } : one);
  return dataOfScript().some(({ value }) => text(shapeOf(value, 0)) === text(shape));
}

/** Returns the expected value that the script prints together with an answer; without one, the answer itself. */
export function expectedBeside(shape: Shape | undefined): unknown {
  const answer = same(shape);
  const isPrinted =
    shape !== undefined && ["string", "number", "boolean", "bigint", "null", "undefined"].includes(shape.t);
  if (!isPrinted) return answer;
  const text = String(answer);
  const places = dataOfScript().map(({ value }) => value as PlaceOfOutput);
  const place = places.find(({ words, wanted }) => words.includes(text) && !wanted.includes(text));
  if (place === undefined) return answer;
  const expected = String(place.wanted[0]);
  if (shape.t === "bigint") return /^-?\d+$/.test(expected) ? BigInt(expected) : answer;
  const isNothing = shape.t === "null" || shape.t === "undefined";
  if (shape.t === "number" || (isNothing && /^-?\d+(?:\.\d+)?$/.test(expected))) return Number(expected);
  return shape.t === "boolean" ? expected === "true" : expected;
}
