import { z } from "zod";

/** One call of the product by a script, as the listening layer of `templates/controls` noted it. */
export interface HeardCall {
  /** File and export, such as `index.js.parse`. */
  readonly name: string;
  /** JSON of the arguments' shapes and values, bounded. */
  readonly args: string;
  /** JSON of the answer's shape and value; null: the product did not answer. */
  readonly answer: string | null;
}

const MAX_CALLS = 1_000;
const MAX_SHOWN_CHARACTERS = 200;

const asked = z.object({ asked: z.string(), last: z.string(), args: z.unknown() });
const answered = z.object({ key: z.string(), shape: z.unknown() });

/** Reads the layer's notes, one JSON document a line. Lines that are none are passed over: the script could write there. */
export function readHeardCalls(text: string): HeardCall[] {
  const calls: { name: string; args: string; answer: string | null }[] = [];
  const open = new Map<string, number>();
  for (const line of text.split("\n")) {
    const note = parsed(line);
    const start = asked.safeParse(note);
    if (start.success) {
      if (calls.length >= MAX_CALLS) break;
      open.set(start.data.asked, calls.length);
      calls.push({ name: start.data.last, args: JSON.stringify(start.data.args), answer: null });
      continue;
    }
    const end = answered.safeParse(note);
    const at = end.success ? open.get(end.data.key) : undefined;
    const call = at === undefined ? undefined : calls[at];
    if (end.success && call !== undefined) call.answer = JSON.stringify(end.data.shape ?? null);
  }
  return calls;
}

/** The calls of one script where the bug is and where it is not. */
export interface HeardSides {
  readonly bad: readonly HeardCall[];
  readonly good: readonly HeardCall[];
}

/**
 * The call that ties two scripts: both make it with the same arguments, and its answer, the same for both, is another one where
 * the bug is gone. Where no answer changes (the harm is elsewhere), all calls of both must be the same, and their answers plain data:
 * what a script does with an answer that holds functions is not heard. Arguments that the layer notes in part are not known to be the same.
 * null: none.
 */
export function sharedWrongCall(first: HeardSides, second: HeardSides): string | null {
  const [ours, theirs] = [wrongCalls(first), wrongCalls(second)];
  const shared = [...ours].find(([key, { args }]) => theirs.has(key) && isNotedWhole(args));
  if (shared !== undefined) return shown(shared[1]);
  if (ours.size > 0 || theirs.size > 0) return null;
  const [all, others] = [keysOf(first.bad), keysOf(second.bad)];
  const isSame = all.size > 0 && all.size === others.size && [...all].every((key) => others.has(key));
  const isHeardOut = first.bad.every(
    ({ args, answer }) => isNotedWhole(args) && (answer === null || isPlainData(answer)),
  );
  return isSame && isHeardOut ? shown(first.bad[0]) : null;
}

/** Shapes of which the layer notes less than they hold. */
const NOTED_IN_PART: ReadonlySet<unknown> = new Set([
  "bytes",
  "function",
  "iterator",
  "map",
  "promise",
  "regexp",
  "set",
  "symbol",
]);
/** As the layer cuts texts, and lists and objects. */
const CUT_TEXT = 4_000;
const CUT_LIST = 40;

/** Whether all that stands in a JSON of shapes was noted, so that equal JSON means equal values. */
function isNotedWhole(json: string): boolean {
  return everyShape(json, ({ t, v }) => {
    if (NOTED_IN_PART.has(t)) return false;
    if (typeof v === "string") return v.length < CUT_TEXT;
    return typeof v !== "object" || v === null || Object.keys(v).length < CUT_LIST;
  });
}

/** Nothing in it can be called or asked further. */
function isPlainData(json: string): boolean {
  return everyShape(json, ({ t }) => t !== "thing" && !NOTED_IN_PART.has(t));
}

interface Shape {
  readonly t?: unknown;
  readonly v?: unknown;
}

function everyShape(json: string, isRight: (shape: Shape) => boolean): boolean {
  const look = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return true;
    const shape = value as Shape;
    return (!("t" in shape) || isRight(shape)) && Object.values(value).every(look);
  };
  return look(parsed(json));
}

/**
 * Calls whose answer differs from every answer that the same call gets where the bug is gone, by call and answer. One that is never
 * answered is wrong by itself.
 */
function wrongCalls({ bad, good }: HeardSides): Map<string, HeardCall> {
  const right = keysOf(good);
  const called = new Set(good.map(callKey));
  return new Map(
    bad
      .filter((call) => (call.answer === null || called.has(callKey(call))) && !right.has(keyOf(call)))
      .map((call) => [keyOf(call), call]),
  );
}

function keysOf(calls: readonly HeardCall[]): Set<string> {
  return new Set(calls.map(keyOf));
}

function callKey({ name, args }: HeardCall): string {
  return `${name}(${args})`;
}

function keyOf(call: HeardCall): string {
  return `${callKey(call)} ${call.answer ?? "no answer"}`;
}

function shown(call: HeardCall | undefined): string | null {
  return call === undefined ? null : callKey(call).slice(0, MAX_SHOWN_CHARACTERS);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
