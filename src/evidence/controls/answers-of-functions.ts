import type { HeardOfProduct } from "./heard-of-product.ts";
import type { Found, NamedAnswer } from "./named-answer.ts";

const MAX_LISTS = 3;
const MAX_COUNTS = 4;
const MAX_ARGUMENTS = 4;
const LIST = /^\[\s*[^\s\]]|\.split\(","\)$/;
/** Matches a function that takes all its arguments, or a list of two variables: the script may expect several arguments. */
const TAKES_ALL = /\(\s*\.\.\.\w+\s*\)\s*(?:=>|\{)|\barguments\b|\[\w+, \w+\]/;
/** Matches a call that takes a function back, after which the product must not call it. */
const TAKES_BACK =
  /\.(?:off|un(?:subscribe|bind|watch|listen|register|on|use|hook|observe)|remove|cancel|clear|stop|abort|delete|dispose|destroy|close)\w*\(/;
/** Matches a variable that begins as false and that a condition tests, such as one that a function sets when it is called. */
const FLAG = /\b(?:let|var)\s+(\w+)\s*=\s*false\b[\s\S]{1,2000}?(?:\(|&&|\|\|)\s*\1\s*(?:\)|&&|\|\|)/;
/** The expected values of a script that wants none of its functions called. */
const NOTHING = new Set(["0", "[]", "''", '""', "false", "null", "undefined"]);

/** Returns the answers that determine how often, and with which arguments, the product calls the script's functions. */
export function answersOfFunctions(
  text: string,
  found: readonly Found[],
  heard: HeardOfProduct,
): NamedAnswer[] {
  if (!heard.isGivenFunctions) return [];
  return [...lists(text, found), ...callCounts(text, found, heard), ...argumentsOfCalls(found, heard)];
}

/**
 * Returns the values with which the product calls the script's functions, if the script needs the product's own answers as well, for
 * example to write to a stream first.
 */
function argumentsOfCalls(found: readonly Found[], { hasSeveralCalls }: HeardOfProduct): NamedAnswer[] {
  const wanted = hasSeveralCalls ? found.filter(({ isWanted }) => isWanted).slice(0, MAX_ARGUMENTS) : [];
  return wanted.map(({ expression: candidate }) => ({
    candidate,
    isLeaf: false,
    isWanted: true,
    only: "given",
  }));
}

/**
 * Returns the lists that the script's functions should collect, or be called with. Empty lists, with which such a script often begins,
 * are excluded: its functions would not be called, and a script that prints its text in one of them would print nothing.
 */
function lists(text: string, found: readonly Found[]): NamedAnswer[] {
  const all = found.filter(({ expression, isWanted }) => isWanted && LIST.test(expression));
  const one = (
    spread: NonNullable<NamedAnswer["spread"]>,
    { expression: candidate }: Found,
  ): NamedAnswer => ({
    candidate,
    isLeaf: false,
    spread,
  });
  return [
    ...all.slice(0, MAX_LISTS).map((list) => one("elements", list)),
    ...(TAKES_ALL.test(text) ? all.slice(0, 1).map((list) => one("arguments", list)) : []),
    ...all.slice(0, 1).map((list) => one("calls", list)),
  ];
}

/** Returns the numbers of calls, and whether the product calls the script's functions without errors. */
function callCounts(
  text: string,
  found: readonly Found[],
  { isRunningPure, isGivenAgain, isGivingErrors }: HeardOfProduct,
): NamedAnswer[] {
  const numbers = [...text.matchAll(/(?<![\w.$])(?:[2-9]|1\d|20)(?![\w.])/g)].map((match) => match[0]);
  // A script that succeeds when none of its functions runs may not have checked anything, unless it expects that.
  const expectsNothing =
    (isGivenAgain && TAKES_BACK.test(text) && FLAG.test(text)) ||
    found.some(({ expression, isWanted }) => isWanted && NOTHING.has(expression));
  const none = isRunningPure && expectsNothing ? ["calls 0"] : [];
  const counts = [...new Set(["1", ...numbers])].slice(0, MAX_COUNTS).map((count) => `calls ${count}`);
  const candidates = [...none, ...(isGivingErrors ? ["no error"] : []), ...counts];
  return candidates.map((candidate) => ({ candidate, isLeaf: false }));
}
