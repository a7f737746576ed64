import { types } from "node:util";
import {
  candidateText,
  candidateValue,
  isLeaf,
  isOfSome,
  isOfUnexpectedType,
  isOfValues,
  methodOf,
  only,
} from "./candidate.ts";
import { candidate } from "./config.ts";
import { eachGiven, MAX_RUNS } from "./functions-given.ts";
import type { Bag, Callable } from "./known-objects.ts";
import { ofArguments } from "./of-arguments.ts";
import { due, functionOf, type GivenRun, remember, throwing, unhandled } from "./memory.ts";
import { type Shape, thrownBy } from "./shape.ts";
import { inertFunction, other } from "./values.ts";

// The deaf product also runs what the script gives it (functions, getters, methods of objects), as often as the whole product does,
// with other values. A script that prints its text in such a function does not check an answer.

interface Taken {
  readonly fn: Callable;
  readonly self: unknown;
  readonly isErrorListener: boolean;
  /** The arguments of the call that gave the function. */
  readonly givenWith: readonly unknown[];
}

/** The functions given in this run, by name. */
const taken = new Map<string, Taken>();
/** Runs that take place after the call that gave the function. */
const pending: GivenRun[] = [];
const whenIdle: (() => void)[] = [];
// As it was before the script could replace it.
const then = methodOf(Promise.prototype, "then");
let isPumping = false;
let running = 0;

/** Resolves when no run is pending any more; null: none is pending now. */
export const idle = (): Promise<void> | null =>
  pending.length === 0 ? null : new Promise((resolve) => whenIdle.push(resolve));

/**
 * Stores the functions that a call gives, and runs them as the whole product did. `instance`: an object of a class that extends the
 * product's.
 */
export function callBack(key: string, args: readonly unknown[], instance?: object): void {
  remember();
  const fresh = new Set<string>();
  eachGiven(args, key, ({ fn, id, holder }) => {
    if (taken.has(id)) return;
    // A function that is given twice, to be added and removed, is one.
    if (![...taken.values()].some((one) => one.fn === fn)) fresh.add(id);
    const self = holder === args || holder === null ? undefined : (instance ?? holder);
    taken.set(id, { fn, self, isErrorListener: args[0] === "error", givenWith: args });
  });
  for (const one of plannedRuns(fresh, functionOf(key))) {
    if (one.isDone === true || !taken.has(one.runs)) continue;
    const isNext = one.after !== undefined && running === 0 && one.after !== functionOf(key);
    if (one.during === key || isNext) run(isNext ? withArguments(one, args) : one);
    else if (one.during === null && !pending.includes(one)) {
      pending.push(one);
    }
  }
  if (pending.length > 0 && !isPumping) {
    isPumping = true;
    setTimeout(pump, 1);
  }
}

/**
 * Returns the run of a function that the whole product never called, with the arguments of the script's next call: an emitter calls a
 * listener with those after the event's name, with which the listener was given.
 */
function withArguments(one: GivenRun, args: readonly unknown[]): GivenRun {
  const { givenWith, fn } = taken.get(one.runs) as Taken;
  const same = args.findIndex((arg, index) => arg !== givenWith[index] || arg === fn);
  one.isDone = true;
  return { ...one, values: same === -1 ? [] : args.slice(same) };
}

function pump(): void {
  const one = pending.shift();
  if (one === undefined) {
    isPumping = false;
    for (const resolve of whenIdle.splice(0)) resolve();
    return;
  }
  setTimeout(pump, 1);
  if (one.isDone !== true) run(one);
}

let planned: GivenRun[] | null = null;

/**
 * Returns the runs as they were recorded. With the candidate `calls N`, each function runs N times; with a list as candidate, once
 * for each element, or with its elements as arguments, or each recorded run gets an element. `by`: the function that was given the
 * `fresh` ones.
 */
function plannedRuns(fresh: ReadonlySet<string>, by: string): readonly GivenRun[] {
  const times = /^calls (\d+)$/.exec(candidateText);
  const elements = candidate?.spread === undefined ? null : candidateValue([]);
  const all = Array.isArray(elements) ? (elements as readonly unknown[]) : null;
  if (times === null && all === null) return due;
  if (all !== null && candidate?.spread === "calls") return (planned ??= withElements(all));
  const repeated = (one: GivenRun): GivenRun[] => {
    if (all === null)
      return Array.from({ length: Math.min(Number(times?.[1]), MAX_RUNS) }, () => ({ ...one }));
    if (candidate?.spread === "arguments")
      return argumentLists(all).map((values) => Object.assign({}, one, { values }));
    return all.slice(0, MAX_RUNS).map((element) => Object.assign({}, one, { values: [element] }));
  };
  if (planned === null) {
    const firsts = due.filter((one, index) => due.findIndex(({ runs }) => runs === one.runs) === index);
    planned = firsts.flatMap((one) => (one.how === "call" ? repeated(one) : [one]));
  }
  // The methods of a class that extends the product's are called by the script itself, unless the whole product called them.
  for (const id of times ? [...fresh].filter((one) => !one.includes(" extended:")) : [])
    if (!due.some(({ runs }) => runs === id))
      planned.push(...repeated({ runs: id, how: "call", args: [], during: null, after: by }));
  return planned;
}

/** Returns the recorded runs with one element each as the argument. The last function runs again for each element that is left. */
function withElements(all: readonly unknown[]): GivenRun[] {
  const calls = due.filter(({ how }) => how === "call");
  const last = calls.at(-1);
  const left = last === undefined ? 0 : all.slice(calls.length, MAX_RUNS).length;
  const more = Array.from({ length: left }, (): GivenRun => ({ ...(last as GivenRun) }));
  let index = -1;
  return [...due, ...more].map((one) => {
    if (one.how === "call") index += 1;
    return one.how === "call" && index < all.length ? Object.assign({}, one, { values: [all[index]] }) : one;
  });
}

/** Returns the arguments of each run: a list whose elements are lists has the arguments of one run in each element. */
function argumentLists(all: readonly unknown[]): readonly (readonly unknown[])[] {
  const isOfLists = all.length > 0 && all.every((element) => Array.isArray(element));
  return isOfLists ? (all as readonly unknown[][]).slice(0, MAX_RUNS) : [all];
}

function run(one: GivenRun): void {
  one.isDone = true;
  const { fn, self, isErrorListener } = taken.get(one.runs) as Taken;
  if (one.how === "proxy") {
    const errors = touch(fn as unknown as Bag);
    if (errors.length > 0 && thrownBy(remember().get(one.during ?? "")) !== null) throw errors[0];
    return;
  }
  const hasError = one.args.some(({ t }) => t === "error");
  const isCalm = candidateText === "no error" && hasError;
  if (isCalm && (isErrorListener || one.args.length === 0)) return;
  const values = one.args.map((shape) => (isCalm && shape.t === "error" ? null : givenValue(shape)));
  if (one.values) values.splice(0, one.values.length, ...one.values);
  if (isCalm && values.length === 1) values.push(inertFunction());
  running += 1;
  try {
    if (one.how === "new") Reflect.construct(fn, values);
    else handle(Reflect.apply(fn, self, values));
  } catch (error) {
    if (throwing.has(one.runs)) throw error;
  } finally {
    running -= 1;
  }
}

/**
 * Handles the rejection of a promise that a given function has returned, unless one ended the script with the whole product: its text
 * may be the claim.
 */
function handle(result: unknown): void {
  if (types.isPromise(result) && !unhandled.rejection)
    void Reflect.apply(then, result, [undefined, () => undefined]);
}

function givenValue(shape: Shape): unknown {
  if (shape.t === "null" || shape.t === "undefined" || shape.t === "function") return other(shape);
  if (
    !isOfValues ||
    (isOfSome && only !== "given") ||
    /^(?:throw \w+|loads)$/.test(candidateText) ||
    ofArguments.has(candidateText)
  )
    return other(shape);
  if (isLeaf) return other(shape, () => candidateValue([]));
  return isOfUnexpectedType(shape, []) ? other(shape) : candidateValue([]);
}

/** Returns the properties of a proxy, and those that functions commonly read from any object or list. */
function namesOf(value: Bag): PropertyKey[] {
  let own: PropertyKey[] = [];
  try {
    own = Reflect.ownKeys(value).slice(0, 60);
  } catch {}
  const methods = Array.isArray(value) ? Object.getOwnPropertyNames(Array.prototype) : [];
  return [...own, ...methods, "q", "then", "length", "toString"];
}

/**
 * Runs the traps of a proxy by reading it in every way. Returns the errors that they throw, because the product would pass them on.
 */
function touch(value: Bag): unknown[] {
  const errors: unknown[] = [];
  for (const read of [
    () => Reflect.ownKeys(value),
    ...namesOf(value).map((name) => () => value[name]),
    () => "q" in value,
    () => value[Symbol.toPrimitive],
    () => value[Symbol.iterator],
    () => Object.getPrototypeOf(value) as unknown,
    () => Reflect.getOwnPropertyDescriptor(value, "q"),
    () => (typeof value === "function" ? (value as Callable)() : undefined),
    () => (value["q"] = "q"),
  ])
    try {
      read();
    } catch (error) {
      errors.push(error);
    }
  return errors;
}
