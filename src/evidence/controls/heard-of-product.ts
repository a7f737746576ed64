import { hasLoaded } from "./adapter-programs.ts";

/** Matches the records of a product that was given functions or has run some. */
const GIVEN = /"key":"given"|"runs":/;

/** Matches the record of a number that is not whole. */
const FRACTION = /"t":"number","v":-?\d+(?:\.\d|\d*e-)/;
/** Matches the record of a text that begins or ends with white space. */
const SPACES = /"t":"string","v":"(?:[ \u00a0]|\\[nrt]|[^"]{0,4000}(?:[ \u00a0]|\\[nrt])")/;

/** Matches the record of a text that contains a list or an object as JSON. */
const JSON_TEXT = /"t":"string","v":"[[{]/;

/** The facts about the product that the renumbered run recorded. */
export interface HeardOfProduct {
  /** It returns objects or lists, or it is a program. */
  readonly hasInnerValues: boolean;
  /** It answers with instances of classes, whose methods and getters a script may have changed. */
  readonly isAnsweringInstances: boolean;
  /** The script makes instances of its classes, and they hold data. */
  readonly hasInstances: boolean;
  /** One of its files was loaded completely. */
  readonly hasLoaded: boolean;
  /** The script passes functions to it, or objects with methods and getters. */
  readonly isGivenFunctions: boolean;
  /** It calls the script's functions, and none of these calls has an effect on more than values of the script. */
  readonly isRunningPure: boolean;
  /** The script passes the same function to it in several calls, such as one that adds it and one that removes it. */
  readonly isGivenAgain: boolean;
  /** It calls the script's functions with errors. */
  readonly isGivingErrors: boolean;
  /** One of its calls threw, or rejected its promise. */
  readonly isThrowing: boolean;
  /** It answers with booleans, or has methods that do. */
  readonly isAnsweringBooleans: boolean;
  /** It answers with numbers that are not whole. */
  readonly isAnsweringFractions: boolean;
  /** It answers with texts that begin or end with white space. */
  readonly isAnsweringSpaces: boolean;
  /** It answers with texts that contain a list or an object as JSON. */
  readonly isAnsweringJson: boolean;
  /** It changes objects or lists that it is given. */
  readonly isChangingArguments: boolean;
  /** It answers with functions, or with objects that have some. */
  readonly isAnsweringFunctions: boolean;
  /** It answers with lists. */
  readonly isAnsweringLists: boolean;
  /** The output of a run that shows the claim. */
  readonly output: string;
  /** It answers with promises. */
  readonly isPromising: boolean;
  /** More than one call was recorded. Calls of functions differ in their number, calls of a program in their arguments. */
  readonly hasSeveralCalls: boolean;
}

/** Returns whether the script gives the product functions to run, according to the records (`answers`) of a renumbered run. */
export function isGivenFunctions(answers: string): boolean {
  return GIVEN.test(answers);
}

/** Returns the facts in the records (`answers`) of a renumbered run, with the `output` of a run that shows the claim. Pure. */
export function heardOfProduct(answers: string, output: string): HeardOfProduct {
  return {
    hasInnerValues: /"t":"(?:object|array|thing|function)"|"key":"program"/.test(answers),
    isAnsweringInstances: answers.includes('"t":"thing"'),
    hasInstances: answers.includes('"t":"fields"'),
    isPromising: answers.includes('"t":"promise"'),
    hasLoaded: hasLoaded(answers),
    isGivenFunctions: isGivenFunctions(answers),
    isRunningPure: answers.includes('"watched":true') && !answers.includes('"effect":'),
    isGivenAgain: answers.includes('"again":true'),
    isGivingErrors: answers.split("\n").some(isErrorGiven),
    isThrowing: answers.includes('"threw":'),
    isAnsweringBooleans: answers.includes('"t":"boolean"'),
    isAnsweringFractions: FRACTION.test(answers),
    isAnsweringSpaces: SPACES.test(answers),
    isAnsweringJson: JSON_TEXT.test(answers),
    isChangingArguments: answers.includes('"changed":'),
    isAnsweringFunctions: answers.includes('"t":"function"'),
    isAnsweringLists: answers.includes('"t":"array"'),
    output,
    hasSeveralCalls: new Set(answers.match(/"by":"(?:[^"\\]|\\.)*"/g)).size > 1,
  };
}

/** A call of the product that threw because its first argument was `null` or `undefined`. */
export interface CallWithNothing {
  /** The name of the function, such as `encode`. If a module is itself the function, the name of its file. */
  readonly name: string;
  readonly value: string;
  /** The error's message. */
  readonly message: string;
}

/**
 * Returns the last call in the records (`answers`) of a renumbered run if it threw because its first argument was missing; null: it
 * did not.
 */
export function callWithNothing(answers: string): CallWithNothing | null {
  const last = answers.split("\n").findLast((line) => line.includes('"by":'));
  if (last === undefined || !last.includes('"nothing":')) return null;
  try {
    const { last: call, nothing, shape } = JSON.parse(last) as Record<string, unknown>;
    const message = (shape as { threw?: unknown }).threw;
    const name = String(call).replace(/^.*\.[cm]?[jt]s\./, "");
    return { name, value: String(nothing), message: String(message) };
  } catch {
    return null;
  }
}

function isErrorGiven(note: string): boolean {
  const runsAt = note.indexOf('"runs":');
  return runsAt !== -1 && note.includes('"t":"error"', runsAt);
}
