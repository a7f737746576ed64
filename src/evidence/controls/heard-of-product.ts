import { hasLoaded } from "./adapter-programs.ts";

/** Matches the notes of a product that was given functions or has run some. */
const GIVEN = /"key":"given"|"runs":/;

/** The facts about the product from the renumbered run. */
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
  /** It calls the script's functions with errors. */
  readonly isGivingErrors: boolean;
  /** One of its calls threw, or rejected its promise. */
  readonly isThrowing: boolean;
  /** It answers with booleans, or has methods that do. */
  readonly isAnsweringBooleans: boolean;
  /** The output of a run that shows the claim. */
  readonly output: string;
  /** It answers with promises. */
  readonly isPromising: boolean;
  /** More than one call was noted: of functions, by their number; of a program, by its arguments. */
  readonly hasSeveralCalls: boolean;
}

/** Returns whether the script gives the product functions to run, by what the product noted in a renumbered run. */
export function isGivenFunctions(answers: string): boolean {
  return GIVEN.test(answers);
}

/** Returns what a product noted in a renumbered run, and the `output` of a run that shows the claim. Pure. */
export function heardOfProduct(answers: string, output: string): HeardOfProduct {
  return {
    hasInnerValues: /"t":"(?:object|array|thing|function)"|"key":"program"/.test(answers),
    isAnsweringInstances: answers.includes('"t":"thing"'),
    hasInstances: answers.includes('"t":"fields"'),
    isPromising: answers.includes('"t":"promise"'),
    hasLoaded: hasLoaded(answers),
    isGivenFunctions: isGivenFunctions(answers),
    isGivingErrors: answers.split("\n").some(isErrorGiven),
    isThrowing: answers.includes('"threw":'),
    isAnsweringBooleans: answers.includes('"t":"boolean"'),
    output,
    hasSeveralCalls: new Set(answers.match(/"by":"(?:[^"\\]|\\.)*"/g)).size > 1,
  };
}

/** A call of the product that threw because its first argument was `null` or `undefined`. */
export interface CallWithNothing {
  /** The function, as `encode`; of a module that is a function, its file. */
  readonly name: string;
  readonly value: string;
  /** The error's message. */
  readonly message: string;
}

/** Returns the last call that a product noted in a renumbered run, if it threw because of its missing argument; null: it did not. */
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
