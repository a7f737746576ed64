import { appendFileSync } from "node:fs";
import { config, listens } from "./config.ts";
import { isWhole, type Shape } from "./shape.ts";
import { shapeOf } from "./shape-of.ts";

const MAX_ANSWERS = 2000;

/** A run of a function that the script gave to the product, as the listening run noted it. */
export interface GivenRun {
  readonly runs: string;
  readonly how: "call" | "new" | "proxy";
  /** The key of the call during which it ran; null: later. */
  readonly during: string | null;
  readonly args: readonly Shape[];
  /** The first argument, if it is not noted in `args`. */
  readonly element?: readonly [unknown];
  isDone?: boolean;
}

/** A line of the file of answers. */
interface Noted extends Partial<GivenRun> {
  key?: string;
  last?: string;
  by?: string;
  shape?: Shape;
  threw?: string;
}

/** Runs of given functions, in order. */
export const due: GivenRun[] = [];
/** Given functions that threw. */
export const throwing = new Set<string>();
/** The first and the last call that the whole product answered, with their arguments. */
export const answered: { first: string | null; last: string | null } = { first: null, last: null };

const ordinals = new Map<string, number>();

/** Returns a name for each call of one function. */
export function next(name: string): string {
  const n = (ordinals.get(name) ?? 0) + 1;
  ordinals.set(name, n);
  return `${name}#${n}`;
}

let memory: Map<string, Shape> | null = null;

/** Returns the whole product's answers by the name of the call, and by that name with its arguments. */
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
  const { key, last, by, shape, runs, threw } = noted;
  if (key !== undefined && !known.has(key)) known.set(key, shape as Shape);
  if (last !== undefined) known.set(last, shape as Shape);
  if (by !== undefined) known.set(by, shape as Shape);
  // The key of a call has its number before its arguments.
  hasCalls ||= by !== undefined && /#\d+\[/.test(by);
  if (by !== undefined && isWhole(shape)) {
    answered.last = by;
    answered.first ??= by;
  }
  if (runs !== undefined) due.push(noted as GivenRun);
  if (threw !== undefined) throwing.add(threw);
}

let notedLines = 0;

/** Returns whether as many answers are noted as there may be. */
export const isFull = (): boolean => notedLines >= MAX_ANSWERS;

function appendLine(line: object): void {
  try {
    appendFileSync(config.answers, `${JSON.stringify(line)}\n`);
  } catch {}
}

/** Notes an answer in both controls, so that the file of answers looks the same in both. */
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

/** Where no verdict depends on the run: notes what the product was called with, before it answers. */
export function noteArguments(key: string, last: string, args: readonly unknown[]): void {
  if (!listens || isFull()) return;
  notedLines += 1;
  appendLine({ asked: key, last, args: args.slice(0, 10).map((one) => shapeOf(one, 0)) });
}
