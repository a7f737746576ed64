import {
  candidateText,
  candidateValue,
  isLeaf,
  isOfSome,
  isOfUnexpectedType,
  isOfValues,
} from "./candidate.ts";
import { candidate } from "./config.ts";
import { eachGiven, MAX_RUNS } from "./functions-given.ts";
import type { Bag, Callable } from "./known-objects.ts";
import { due, type GivenRun, remember, throwing } from "./memory.ts";
import { type Shape, thrownBy } from "./shape.ts";
import { inert, other } from "./values.ts";

// The deaf product also runs what the script gives it (functions, getters, methods of objects), as often as the whole product does,
// with other values. A script that prints its text there judges nothing.

interface Taken {
  readonly fn: Callable;
  readonly self: unknown;
  readonly isErrorListener: boolean;
}

/** Given functions of this run, by name. */
const taken = new Map<string, Taken>();
/** Runs that take place after the call that gave the function. */
const pending: GivenRun[] = [];
const whenIdle: (() => void)[] = [];
let isPumping = false;

/** Resolves when no run is pending any more; null: none is pending now. */
export const idle = (): Promise<void> | null =>
  pending.length === 0 ? null : new Promise((resolve) => whenIdle.push(resolve));

/** Takes the functions of a call, and runs what the whole product ran. `instance`: the object whose class extends the product's. */
export function callBack(key: string, args: readonly unknown[], instance?: object): void {
  remember();
  const fresh = new Set<string>();
  eachGiven(args, key, ({ fn, id, holder }) => {
    if (taken.has(id)) return;
    const self = holder === args || holder === null ? undefined : (instance ?? holder);
    taken.set(id, { fn, self, isErrorListener: args[0] === "error" });
    fresh.add(id);
  });
  for (const one of plannedRuns(fresh)) {
    if (one.isDone === true || !taken.has(one.runs)) continue;
    if (one.during === key) run(one);
    else if (one.during === null) {
      one.isDone = true;
      pending.push(one);
    }
  }
  if (pending.length > 0 && !isPumping) {
    isPumping = true;
    setTimeout(pump, 1);
  }
}

function pump(): void {
  const one = pending.shift();
  if (one === undefined) {
    isPumping = false;
    for (const resolve of whenIdle.splice(0)) resolve();
    return;
  }
  setTimeout(pump, 1);
  run(one);
}

let planned: GivenRun[] | null = null;

/** Returns the runs as noted; or each function `calls N` times; or once for each element of the candidate. */
function plannedRuns(fresh: ReadonlySet<string>): readonly GivenRun[] {
  const times = /^calls (\d+)$/.exec(candidateText);
  const elements = candidate?.isSpread === true ? candidateValue([]) : null;
  const all = Array.isArray(elements) ? (elements as readonly unknown[]) : null;
  if (times === null && all === null) return due;
  const count = Math.min(times ? Number(times[1]) : (all?.length ?? 0), MAX_RUNS);
  const repeated = (one: GivenRun): GivenRun[] =>
    Array.from({ length: count }, (_, index) =>
      times || all === null ? { ...one } : { ...one, element: [all[index]] },
    );
  if (planned === null) {
    const firsts = due.filter((one, index) => due.findIndex(({ runs }) => runs === one.runs) === index);
    planned = firsts.flatMap((one) => (one.how === "call" ? repeated(one) : [one]));
  }
  for (const id of times ? fresh : [])
    if (!due.some(({ runs }) => runs === id))
      planned.push(...repeated({ runs: id, how: "call", args: [], during: null }));
  return planned;
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
  if (one.element) values[0] = one.element[0];
  if (isCalm && values.length === 1) values.push(inert());
  try {
    if (one.how === "new") Reflect.construct(fn, values);
    else Reflect.apply(fn, self, values);
  } catch (error) {
    if (throwing.has(one.runs)) throw error;
  }
}

function givenValue(shape: Shape): unknown {
  if (shape.t === "null" || shape.t === "undefined" || shape.t === "function") return other(shape);
  if (!isOfValues || isOfSome || /^(?:throw \w+|identity|loads)$/.test(candidateText)) return other(shape);
  if (isLeaf) return other(shape, () => candidateValue([]));
  return isOfUnexpectedType(shape, []) ? other(shape) : candidateValue([]);
}

/** Returns the properties of a proxy, and those that a function asks every object or list for. */
function namesOf(value: Bag): PropertyKey[] {
  let own: PropertyKey[] = [];
  try {
    own = Reflect.ownKeys(value).slice(0, 60);
  } catch {}
  const methods = Array.isArray(value) ? Object.getOwnPropertyNames(Array.prototype) : [];
  return [...own, ...methods, "q", "then", "length", "toString"];
}

/** Runs the traps of a proxy: everything that reads an object does. Returns what they throw: the product would pass it on. */
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
