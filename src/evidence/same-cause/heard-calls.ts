import { z } from "zod";

/** One call of the product by a script, as recorded by the listening layer of `templates/controls`. */
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

/**
 * Returns the calls in the layer's notes, one JSON document per line. Invalid lines are skipped, because the script can write to
 * the file, too.
 */
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

/** The calls of one script on a commit with the bug and on a commit without it. */
export interface HeardSides {
  readonly bad: readonly HeardCall[];
  readonly good: readonly HeardCall[];
}

/**
 * Returns the call that ties two scripts, or null if there is none. Both scripts make this call with the same arguments, both get
 * the same answer, and the answer is different where the bug is gone. If no answer changes (the damage is elsewhere), all calls
 * of both scripts must be the same and their answers must be plain data, because the layer does not see what a script does with
 * an answer that contains functions. Arguments that the layer records only in part do not count as the same.
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

/** Shapes of which the layer records only a part. */
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
/** The lengths to which the layer cuts texts, and lists and objects. */
const CUT_TEXT = 4_000;
const CUT_LIST = 40;

/** Returns whether a JSON of shapes is complete, so that equal JSON means equal values. */
function isNotedWhole(json: string): boolean {
  return everyShape(json, ({ t, v }) => {
    if (NOTED_IN_PART.has(t)) return false;
    if (typeof v === "string") return v.length < CUT_TEXT;
    return typeof v !== "object" || v === null || Object.keys(v).length < CUT_LIST;
  });
}

/** Returns whether a JSON of shapes contains only plain data: nothing in it can be called or queried further. */
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
 * Returns the calls whose answer differs from every answer that the same call gets where the bug is gone, keyed by call and
 * answer. A call that is never answered always counts as wrong.
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
