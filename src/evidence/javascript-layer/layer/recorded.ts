import { basename, relative } from "node:path";
import { answer } from "./answers.ts";
import { modules } from "./built-ins.ts";
import { config, own } from "./config.ts";
import { FIELDS, fieldsOf } from "./instances.ts";
import { type Bag, hasOwn, propertyOf, prototypeOf } from "./known-objects.ts";
import { next, note, remember } from "./memory.ts";
import type { Shapes } from "./shape.ts";
import { keptAnswer } from "./values.ts";

/**
 * The kind of an export, without its value; a plain value is in `p`. `e`: the kind. `v`: the kinds of its properties. `n`, `l`: the
 * name and length of a function.
 */
type Kind =
  | { e: "function"; v: Record<string, Kind>; n?: string; l?: number }
  | { e: "object"; v: Record<string, Kind> }
  | { e: "getter" }
  | { e: "other" }
  | { p: string | number | boolean | null };

/** Returns the kinds of a file's exports. */
export function kindsOf(value: unknown, depth: number): Kind {
  if (typeof value === "function")
    return { e: "function", v: depth === 0 ? keysOf(value, depth) : {}, ...signatureOf(value) };
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return { p: value };
  if (typeof value === "object" && prototypeOf(value) === Object.prototype)
    return { e: "object", v: depth < 2 ? keysOf(value, depth) : {} };
  return { e: "other" };
}

function signatureOf(value: object): { n?: string; l?: number } {
  const name: unknown = propertyOf(value, "name")?.value;
  const length: unknown = propertyOf(value, "length")?.value;
  return {
    ...(typeof name === "string" ? { n: name } : {}),
    ...(typeof length === "number" ? { l: length } : {}),
  };
}

function keysOf(value: object, depth: number): Record<string, Kind> {
  const found: Record<string, Kind> = {};
  for (const key of Object.keys(value).slice(0, 300)) {
    const descriptor = propertyOf(value, key);
    found[key] = descriptor?.get ? { e: "getter" } : kindsOf(descriptor?.value, depth + 1);
  }
  return found;
}

export const kindsKey = (file: string): string => `exports ${relative(config.root, file)}`;

/** Returns whether a function or class was called under this name. */
function isCalled(name: string): boolean {
  return [...remember().keys()].some(
    (key) => key === name || key.startsWith(`${name}#`) || key === name + FIELDS,
  );
}

function withSignature<T extends object>(made: T, { n, l }: Extract<Kind, { e: "function" }>): T {
  const properties = {
    name: { value: n ?? "q", configurable: true },
    length: { value: l ?? 0, configurable: true },
  };
  return Object.defineProperties(made, properties);
}

/**
 * Returns exports that run no code: each call returns what the whole product returned. If the claim then disappears, the product's
 * code caused it, and not an answer.
 */
function recorded(name: string, kind: Kind): unknown {
  if ("p" in kind) return kind.p;
  if (kind.e === "getter") return isCalled(name) ? recorded(name, { e: "function", v: {} }) : undefined;
  if (kind.e === "other") return undefined;
  const exports =
    kind.e === "object"
      ? {}
      : new Proxy(
          withSignature(function () {}, kind),
          {
            apply: (_, __, args: unknown[]) => answer(next(name), name, args),
            construct: (_, args: unknown[]) =>
              recordedInstance(name, fieldsOf(next(name), name, args).fields?.v),
          },
        );
  for (const [key, inner] of Object.entries(kind.v)) {
    const value = recorded(`${name}.${key}`, inner);
    Object.defineProperty(exports, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return exports;
}

function recordedInstance(name: string, known: Shapes = {}): object {
  return new Proxy<Bag>(
    {},
    {
      get(from, key): unknown {
        if (typeof key === "symbol" || key in from) return from[key];
        const field = hasOwn(known, key) ? known[key] : undefined;
        if (field !== undefined && field.t !== "function") return keptAnswer(field);
        const method = `${name}.${key}`;
        return isCalled(method) ? recorded(method, { e: "function", v: {} }) : undefined;
      },
    },
  );
}

/** Gives a file recorded exports. Returns false if the file runs as usual. */
export function record(module: NodeJS.Module): boolean {
  const key = kindsKey(module.filename);
  const kind = own.has(module.filename) ? (remember().get(key) as Kind | undefined) : undefined;
  if (kind === undefined || !("v" in kind)) return false;
  note(key, undefined, kind);
  module.exports = recorded(basename(module.filename), kind);
  modules.set(module.filename, { module, exports: module.exports as unknown });
  return true;
}
