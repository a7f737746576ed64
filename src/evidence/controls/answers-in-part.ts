import { searchedFields } from "./compared-in-shell.ts";
import type { Found, NamedAnswer } from "./named-answer.ts";
import { comparedFields, fieldsIn } from "./script-data.ts";

const MAX_FIELDS = 12;

/**
 * Returns the answers for a script that checks several calls, in a table of cases or in one assertion after another: no single
 * answer to all of them satisfies it.
 */
export function ofSomeCalls(
  found: readonly Found[],
  data: readonly string[],
  isThrowing: boolean,
): NamedAnswer[] {
  const one = (only: NonNullable<NamedAnswer["only"]>, candidate: string): NamedAnswer => ({
    candidate,
    isLeaf: false,
    only,
    ...(["last", "first", "threw"].includes(only) ? {} : { data }),
  });
  const wanted = wholesFirst(found.filter(({ isWanted }) => isWanted).map(({ expression }) => expression));
  return [
    ...besideData(data),
    one("beside", "alike"),
    one("last", "other"),
    ...wanted.slice(0, 2).map((candidate) => one("last", candidate)),
    ...wanted.slice(0, 3).map((candidate) => one("unnamed", candidate)),
    ...wanted.slice(0, 2).map((candidate) => one("first", candidate)),
    ...(isThrowing ? wanted.slice(0, 2).map((candidate) => one("threw", candidate)) : []),
  ];
}

/** Puts the lists and objects that a script expects before what they hold. */
function wholesFirst(expressions: readonly string[]): string[] {
  const isHeld = (one: string): boolean =>
    expressions.some((other) => other !== one && /^[[{]/.test(other) && other.includes(one));
  return expressions.toSorted((a, b) => Number(isHeld(a)) - Number(isHeld(b)));
}

/** Returns the answers for a script that has the expected answer beside the arguments of a call. */
export function besideData(data: readonly string[]): NamedAnswer[] {
  return ["after", "before"].map((candidate) => ({ candidate, isLeaf: false, only: "beside", data }));
}

/** Returns the answer for a script whose table of cases has a part of each expected answer beside the arguments. */
export function besideInner(data: readonly string[]): NamedAnswer[] {
  return [{ candidate: "after", isLeaf: true, only: "beside", data }];
}

/** Returns the answer for a script that checks several properties of one answer: each has its own literal. */
export function ofFields(text: string): NamedAnswer[] {
  const searched = searchedFields(text);
  const fields = new Map([...comparedFields(text), ...searched]);
  return fields.size < 2 && searched.size === 0 ? [] : asFields(fields);
}

function asFields(all: ReadonlyMap<string, string>): NamedAnswer[] {
  const fields = [...all].slice(0, MAX_FIELDS);
  const candidate = `{ ${fields.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")} }`;
  return fields.length === 0 ? [] : [{ candidate, isLeaf: false, only: "fields" }];
}

/** Returns the answers for a script that checks a part of an answer, or counts what is in it. */
export function ofParts(text: string, found: readonly Found[]): NamedAnswer[] {
  const isList = /^[[{]\s*[^\s\]}]/;
  const lists = found.filter(
    ({ expression, isWanted }) => isWanted && isList.test(expression) && text.includes(expression),
  );
  const parts = lists.slice(0, 1).flatMap(({ expression: candidate }): NamedAnswer[] => [
    { candidate, isLeaf: false, only: "inside" },
    { candidate, isLeaf: false, only: "innermost" },
  ]);
  const objects = lists.filter(({ expression }) => expression.startsWith("{"));
  const object = objects.find(({ expression }) => /^\{.*[[{]/s.test(expression)) ?? objects[0];
  const fields = object === undefined ? [] : asFields(fieldsIn(object.expression));
  parts.push(...fields);
  if (!/length|size|keys|count|\bwc\b/i.test(text)) return parts;
  const counts = [...text.matchAll(/(?:[!=]==?|-eq|-ne|equal\w{0,20}\([^;\n]{0,200},)\s*(\d{1,2})\b/gi)].map(
    (match) => match[1] ?? "",
  );
  const sizes = [...new Set(counts)].slice(0, 2);
  return [...parts, ...sizes.map((candidate): NamedAnswer => ({ candidate, isLeaf: false, only: "sized" }))];
}
