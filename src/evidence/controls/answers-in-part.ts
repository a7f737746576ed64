import { searchedFields } from "./compared-in-shell.ts";
import type { HeardOfProduct } from "./heard-of-product.ts";
import type { Found, NamedAnswer } from "./named-answer.ts";
import { objectsOfVariable } from "./nested-objects.ts";
import { objectsOfKeys } from "./objects-of-keys.ts";
import { comparedFields, dataIn, fieldsIn, REPEATS } from "./script-data.ts";

const MAX_FIELDS = 12;

/**
 * Returns the answers for a script that checks several calls, in a table of cases or in successive assertions. One answer to all
 * calls cannot satisfy such a script.
 */
export function answersOfSomeCalls(
  text: string,
  found: readonly Found[],
  { isThrowing }: Pick<HeardOfProduct, "isThrowing">,
): NamedAnswer[] {
  const data = dataIn(text);
  const one = (only: NonNullable<NamedAnswer["only"]>, candidate: string): NamedAnswer => ({
    candidate,
    isLeaf: false,
    only,
    ...(["last", "first", "threw", "each"].includes(only) ? {} : { data }),
  });
  const expected = found.filter(({ isWanted }) => isWanted).map(({ expression }) => expression);
  const lists = expected.filter((expression) => /^\[.*,.*\]$/s.test(expression));
  const wanted = outermostFirst(expected);
  return [
    ...answersBesideData(data),
    one("beside", "alike"),
    ...lists.slice(0, 1).map((list) => one("each", list)),
    one("last", "other"),
    one("last", "earlier"),
    ...wanted.slice(0, 2).map((candidate) => one("last", candidate)),
    ...(isTestedBothWays(text) && !wanted.slice(0, 2).includes("null") ? [one("last", "null")] : []),
    ...wanted.slice(0, 3).map((candidate) => one("unnamed", candidate)),
    ...wanted.slice(0, 2).map((candidate) => one("first", candidate)),
    ...(isThrowing ? wanted.slice(0, 2).map((candidate) => one("threw", candidate)) : []),
  ];
}

/** Matches a variable that a condition tests, with or without a negation. */
const TESTED = /(?:\(|&&|\|\||=)\s*(!?)\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=\)|&&|\|\||\?[^.?]|;)/gu;
/** Matches a variable that holds the answer of a function. */
const HOLDS_ANSWER = /([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:await\s+|new\s+)?([\p{L}_$][\p{L}\p{N}_$.]*)\(/gu;

/**
 * Returns whether a script tests answers of the same function for a value and for no value: in a table of cases, or in two variables.
 * Such a script expects both of different calls; one that only tests for a value would be satisfied by nothing, whatever it is about.
 */
function isTestedBothWays(text: string): boolean {
  const tested = [...text.matchAll(TESTED)];
  const names = (negation: string): string[] =>
    tested.flatMap(([, sign, name = ""]) => (sign === negation ? [name] : []));
  const [negated, plain] = [names("!"), names("")];
  if (REPEATS.test(text) && plain.some((name) => negated.includes(name))) return true;
  const held = [...text.matchAll(HOLDS_ANSWER)];
  const functionsOf = (variables: readonly string[]): string[] =>
    held.flatMap(([, name = "", callee = ""]) => (variables.includes(name) ? [callee] : []));
  const called = functionsOf(negated);
  return functionsOf(plain).some((callee) => called.includes(callee));
}

/** Sorts the lists and objects that contain other expressions before those expressions. */
function outermostFirst(expressions: readonly string[]): string[] {
  const isHeld = (one: string): boolean =>
    expressions.some((other) => other !== one && /^[[{]/.test(other) && other.includes(one));
  return expressions.toSorted((a, b) => Number(isHeld(a)) - Number(isHeld(b)));
}

/** Returns the answers for a script that contains the expected answer right before or after the arguments of a call. */
export function answersBesideData(data: readonly string[]): NamedAnswer[] {
  return ["after", "before"].map((candidate) => ({ candidate, isLeaf: false, only: "beside", data }));
}

/** Returns the answer for a script whose table of cases contains a part of each expected answer after the arguments. */
export function innerAnswersBesideData(data: readonly string[]): NamedAnswer[] {
  return [{ candidate: "after", isLeaf: true, only: "beside", data }];
}

/** Matches an expression for a text. */
const TEXT = /^["'`]|\.(?:join|repeat)\([^()]*\)$/;

/**
 * Returns the answers for a script that also checks parts of an answer that are right: each text in the answer that the script does
 * not name is replaced.
 */
export function answersOfUnnamedTexts(text: string, found: readonly Found[]): NamedAnswer[] {
  const wanted = found.filter(({ expression, isWanted }) => isWanted && TEXT.test(expression));
  const data = dataIn(text);
  return wanted
    .slice(0, 3)
    .map(({ expression: candidate }) => ({ candidate, isLeaf: true, only: "unnamed", data }));
}

/** Returns the answer for a script that compares several properties of one answer, each with a literal. */
export function answerOfFields(text: string): NamedAnswer[] {
  const searched = searchedFields(text);
  const fields = new Map([...comparedFields(text), ...searched]);
  return fields.size < 2 && searched.size === 0 ? [] : fieldsAnswer(fields);
}

function fieldsAnswer(all: ReadonlyMap<string, string>): NamedAnswer[] {
  const fields = [...all].slice(0, MAX_FIELDS);
  const candidate = `{ ${fields.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")} }`;
  return fields.length === 0 ? [] : [{ candidate, isLeaf: false, only: "fields" }];
}

/** Returns the answers for a script that checks a part of an answer or counts its elements. */
export function answersOfParts(text: string, found: readonly Found[]): NamedAnswer[] {
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
  const fields = object === undefined ? [] : fieldsAnswer(fieldsIn(object.expression));
  parts.push(...fields);
  if (!/length|size|keys|count|\bwc\b/i.test(text)) return parts;
  const counts = [...text.matchAll(/(?:[!=]==?|-eq|-ne|equal\w{0,20}\([^;\n]{0,200},)\s*(\d{1,2})\b/gi)].map(
    (match) => match[1] ?? "",
  );
  const sizes = [...new Set(counts)].slice(0, 2);
  return [...parts, ...sizes.map((candidate): NamedAnswer => ({ candidate, isLeaf: false, only: "sized" }))];
}

/** Matches a variable that holds an object or a list. */
const HOLDER = /\b(?:const|let|var)\s+([a-zA-Z_]\w*)\s*=\s*[[{]/g;

/** Returns the answers for a script that judges what a call has made of the object or list that it was given, or of a part of it. */
export function answersOfArgument(text: string, found: readonly Found[]): NamedAnswer[] {
  const holders = [...text.matchAll(HOLDER)].map(([, name = ""]) => name).slice(0, 8);
  const given = holders.find((name) => new RegExp(String.raw`[\w)]\(${name}\s*[,)]`).test(text));
  if (given === undefined) return [];
  const wanted = found.flatMap(({ expression, isWanted }) => (isWanted ? [expression] : []));
  const whole = wanted.filter((expression) => /^[[{]/.test(expression)).slice(0, 1);
  const keys = objectsOfKeys(text, found).map(({ expression }) => expression);
  const parts = objectsOfVariable(text, given, { values: wanted.slice(0, 1), keys });
  return [...whole, ...parts].map((candidate) => ({ candidate, isLeaf: false, only: "argument" }));
}
