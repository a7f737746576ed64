import { appendFileSync } from "node:fs";
import { config, recordsArguments } from "./config.ts";
import { type ChangedArguments, isWhole, type Shape } from "./shape.ts";
import { shapeOf } from "./shape-of.ts";

const MAX_ANSWERS = 2000;

/** A run of a function that the script gave to the product, as the listening run recorded it. */
export interface GivenRun {
  readonly runs: string;
  readonly how: "call" | "new" | "proxy";
  /** The key of the call during which the function ran; null: it ran later. */
  readonly during: string | null;
  readonly args: readonly Shape[];
  /** The first arguments, if they are not in `args`. */
  readonly values?: readonly unknown[];
  /** The run takes place during the script's next call of a function with another name than this one. */
  readonly after?: string;
  isDone?: boolean;
}

/** A line of the file of answers. */
interface Noted extends Partial<GivenRun> {
  key?: string;
  last?: string;
  by?: string;
  shape?: Shape;
  threw?: string;
  unhandled?: boolean;
  changed?: ChangedArguments;
}

/** The recorded runs of given functions, in order. */
export const due: GivenRun[] = [];
/** The names of the given functions that threw. */
export const throwing = new Set<string>();
/** `rejection`: with the whole product, a promise was rejected that nobody handled. */
export const unhandled = { rejection: false };
/** The arguments that calls have changed, by the name of the call. */
export const changedBy = new Map<string, ChangedArguments>();
/** The first and the last call that the whole product answered, with their arguments. */
export const answered: { first: string | null; last: string | null } = { first: null, last: null };

const ordinals = new Map<string, number>();

/** Returns the key of the next call of a function: its name with a number. */
export function next(name: string): string {
  const n = (ordinals.get(name) ?? 0) + 1;
  ordinals.set(name, n);
  return `${name}#${n}`;
}

/** Returns a name for each call of a function that the product has made, by the property that holds it. */
export const nextOfMade = (name = ""): string => (name === "" ? "inert" : next(`made.${name}`));

/** Returns whether a call with this key is one of a function that the product has made. */
export const isOfMade = (key: string): boolean => key === "inert" || key.startsWith("made.");

/** Returns the name of the function that a call with this name calls. */
export const functionOf = (key: string): string => key.replace(/#\d+$/, "");

let memory: Map<string, Shape> | null = null;

/** Returns the whole product's answers by the key of the call, by its name, and by its key with the arguments. */
export function remember(): ReadonlyMap<string, Shape> {
  if (memory !== null) return memory;
  memory = new Map();
  for (const line of config.remembered.split("\n"))
    try {
      add(memory, JSON.parse(line) as Noted);
    } catch {}
  return memory;
}

let hasCalls = false;

/** Returns whether the script called functions of the whole product. */
export function wasCalled(): boolean {
  remember();
  return hasCalls;
}

function add(known: Map<string, Shape>, noted: Noted): void {
  const { key, last, by, shape, runs, threw, changed } = noted;
  if (key !== undefined && !known.has(key)) known.set(key, shape as Shape);
  if (last !== undefined) known.set(last, shape as Shape);
  if (by !== undefined) known.set(by, shape as Shape);
  // The key of a call has its number before the checksum of its arguments.
  hasCalls ||= by !== undefined && /#\d+~/.test(by);
  if (by !== undefined && isWhole(shape)) {
    answered.last = by;
    answered.first ??= by;
  }
  if (runs !== undefined) due.push(noted as GivenRun);
  if (threw !== undefined) throwing.add(threw);
  unhandled.rejection ||= noted.unhandled === true;
  if (by !== undefined && changed !== undefined) changedBy.set(by, changed);
}

let notedLines = 0;

/** Returns whether the maximum number of answers is recorded. */
export const isFull = (): boolean => notedLines >= MAX_ANSWERS;

function appendLine(line: object): void {
  try {
    appendFileSync(config.answers, `${JSON.stringify(line)}\n`);
  } catch {}
}

/** Records an answer. Both controls (deaf and renumbered) do so, so that the file of answers looks the same in both. */
export function note(
  key: string | undefined,
  last: string | undefined,
  shape: object | undefined,
  more: object = {},
): void {
  if (isFull()) return;
  notedLines += 1;
  appendLine({ key, last, shape, ...more });
}

const facts = new Set<string>();

/**
 * Records a fact about the run once, also when the maximum number of answers is recorded: a script must not be able to hide one
 * behind thousands of calls.
 */
export function noteFact(name: "again" | "effect" | "unhandled" | "watched"): void {
  if (!facts.has(name)) appendLine({ [name]: true });
  facts.add(name);
}

/** Records the arguments of a call before the product answers, but only in runs on which no verdict depends. */
export function noteArguments(key: string, last: string, args: readonly unknown[]): void {
  if (!recordsArguments || isFull()) return;
  notedLines += 1;
  appendLine({ asked: key, last, args: args.slice(0, 10).map((one) => shapeOf(one, 0)) });
}
