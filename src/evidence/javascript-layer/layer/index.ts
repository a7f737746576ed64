import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { answerOf } from "./answers.ts";
import { modules, restoreBuiltIns } from "./built-ins.ts";
import { only } from "./candidate.ts";
import { own } from "./config.ts";
import { isOurs } from "./copies.ts";
import { layeredInstance } from "./instances.ts";
import {
  accessors,
  beforehand,
  isInstance,
  isObject,
  type Property,
  isProxy,
  prototypeOf,
} from "./known-objects.ts";
import { note } from "./memory.ts";
import { kindsKey, kindsOf, record } from "./recorded.ts";
import { callBack } from "./runs-of-given.ts";
import { inertFunction, reactToCalls } from "./values.ts";
import { wrap } from "./wrap.ts";

// The layer over the product's JavaScript, which the product's files require (prepare/common-js.ts, prepare/es-module.ts). It
// either passes every call on (renumbered) or answers instead of the product (deaf). It must run on every version of Node.js that
// the product runs on.

export { program } from "./program-of-product.ts";
export { restoreBuiltIns };

reactToCalls({ callBack, answerOf });

/** Returns the exports of a product that fails while it loads. */
export const inert = (): object => inertFunction();

/** Gives the exports of a file a layer. `from`: the file's module, or its URL if it is an ES module. */
export function of(exports: unknown, file: string, from: NodeJS.Module | string): unknown {
  note("loaded", undefined, { t: "undefined" });
  withoutWarnings(exports);
  const module = typeof from === "string" ? undefined : from;
  if (!isOurs(module ? module.filename : fileURLToPath(from as string))) return exports;
  const isOwn = module !== undefined && own.has(module.filename);
  if (isOwn && !(module.parent && own.has(module.parent.filename)))
    note(kindsKey(module.filename), undefined, kindsOf(exports, 0));
  rememberMethods(exports, 0);
  const made = isInstance(exports) ? layeredInstance(exports, file) : wrap(exports, file);
  if (isOwn) modules.set(module.filename, { module, exports: made });
  return made;
}

/** Runs the text of a module that the run time loads, and gives its exports a layer. Returns false if something else loads it. */
export function starts(module: NodeJS.Module, text: string): boolean {
  const { _compile: compile } = module as NodeJS.Module & { _compile?: unknown };
  if (typeof compile !== "function") return false;
  if (only === "records" && record(module)) return true;
  Reflect.apply(compile, module, [Buffer.from(text, "base64").toString(), module.filename]);
  restoreBuiltIns();
  module.exports = of(module.exports, basename(module.filename), module);
  return true;
}

/**
 * Removes the prototype that Node.js gives to the exports of modules in an import cycle while they load. It warns of each property
 * that is read.
 */
function withoutWarnings(exports: unknown): void {
  if (isObject(exports) && !isProxy(exports) && isProxy(prototypeOf(exports)))
    Object.setPrototypeOf(exports, Object.prototype);
}

/** Stores the methods and accessors of the exported classes. */
function rememberMethods(value: unknown, depth: number): void {
  if (typeof value === "function" && value.prototype && !beforehand.has(value.prototype as object)) {
    beforehand.set(value.prototype as object, valuesOf(value.prototype as object));
    accessors.set(value.prototype as object, accessorsOf(value.prototype as object));
  }
  if (depth >= 2 || value === null || (typeof value !== "object" && typeof value !== "function")) return;
  for (const key of Object.keys(value).slice(0, 200)) {
    const found = Object.getOwnPropertyDescriptor(value, key);
    if (found && "value" in found) rememberMethods(found.value, depth + 1);
  }
}

function valuesOf(prototype: object): Map<string, unknown> {
  const all = new Map<string, unknown>();
  for (let one: object | null = prototype; one && one !== Object.prototype; one = prototypeOf(one))
    for (const key of Object.getOwnPropertyNames(one)) {
      const found = Object.getOwnPropertyDescriptor(one, key);
      if (!all.has(key) && found && "value" in found) all.set(key, found.value);
    }
  return all;
}

function accessorsOf(prototype: object): Map<string, Property> {
  const all = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return new Map(all.filter(([, found]) => !("value" in found)));
}
