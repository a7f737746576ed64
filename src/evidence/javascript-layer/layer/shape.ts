/** The record of a value: its type and, for most types, the value itself, which may be truncated. */
export type Shape =
  | { t: "null" | "symbol" | "function" | "self" }
  /** The source text and the flags. */
  | { t: "regexp"; v: readonly [source: string, flags: string] }
  /** `threw`: the call threw, or its promise was rejected, with an error of this message and the name `n`. */
  | { t: "undefined"; threw?: string; n?: string }
  | { t: "boolean"; v: boolean }
  /** `x`: a number that JSON does not have, as text. */
  | { t: "number"; v: number; x?: string }
  | { t: "bigint" | "string" | "thrown"; v: string }
  | { t: "array"; v: Shape[] }
  /** `bare`: without a prototype. */
  | { t: "object"; v: Shapes; bare?: boolean }
  /** The number of elements. */
  | { t: "map" | "set"; v: number }
  /** Milliseconds since 1970. */
  | { t: "date"; v: number }
  | { t: "error"; v: string; n: string }
  /** The number of bytes. */
  | { t: "bytes"; v: number }
  | { t: "promise"; v: Shape }
  | { t: "iterator"; isAsync: boolean }
  | Thing
  /** The fields of an instance; `symbols`: the number of its properties whose keys are symbols. */
  | { t: "fields"; v: Shapes; symbols: number };

export type Shapes = Record<string, Shape>;

/** An instance of a class. `methods`: true if the method returns a promise. `n`: the name under which calls of its class are noted. */
export interface Thing {
  t: "thing";
  v?: Shapes;
  methods?: Record<string, boolean>;
  n?: string;
}

/** The arguments that a call has changed: the position of each, and its record after the call. */
export type ChangedArguments = readonly (readonly [position: number, after: Shape])[];

/** Returns the message of the error that the call of this shape threw, or null. */
export function thrownBy(shape: Shape | undefined): { message: string; name: string } | null {
  if (shape?.t !== "undefined" || shape.threw === undefined) return null;
  return { message: shape.threw, name: String(shape.n) };
}

/** The types whose shape contains the whole value. */
const WHOLE = new Set([
  "array",
  "object",
  "null",
  "undefined",
  "boolean",
  "number",
  "bigint",
  "string",
  "date",
  "regexp",
  "fields",
]);

export function isWhole(shape: Shape | undefined): boolean {
  return shape !== undefined && WHOLE.has(shape.t === "promise" ? shape.v.t : shape.t);
}
