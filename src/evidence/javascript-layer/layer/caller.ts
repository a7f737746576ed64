import { fileURLToPath } from "node:url";
import { own } from "./config.ts";

/** The keys of the product's calls in progress, the innermost last. */
export const inside: string[] = [];

const errors = Error as unknown as { prepareStackTrace: unknown; stackTraceLimit: number };

/**
 * Returns the file of the code that called through the layer. It skips the run time's own files, except when `isNearest` is set.
 * null: only the run time called, for a timer or an event.
 */
function callerFile(isNearest: boolean): string | null {
  const { prepareStackTrace, stackTraceLimit } = errors;
  errors.prepareStackTrace = (_: unknown, sites: unknown): unknown => sites;
  errors.stackTraceLimit = 12;
  const sites = new Error().stack as unknown;
  errors.prepareStackTrace = prepareStackTrace;
  errors.stackTraceLimit = stackTraceLimit;
  if (!Array.isArray(sites)) return null;
  for (const site of sites as (NodeJS.CallSite | Record<string, never>)[]) {
    const name = site.getFileName?.() as string | null | undefined;
    if (!name || name === __filename || (name.startsWith("node:") && !isNearest)) continue;
    return name.startsWith("file://") ? fileURLToPath(name) : name;
  }
  return null;
}

/**
 * Returns whether the code that called through the layer belongs to the product. The product itself always gets its real answers.
 */
export function calledByProduct(): boolean {
  const name = callerFile(false);
  return name !== null && own.has(name);
}

/** Returns whether a built-in method calls another method of the same object, during a call that is recorded. */
export const isInner = (): boolean => inside.length > 0 && (callerFile(true) ?? "").startsWith("node:");

/** Returns whether the code that called belongs to the script, not to the product, another module or the run time. */
export function calledByScript(): boolean {
  const name = callerFile(false);
  return name !== null && !own.has(name) && !/[\\/]node_modules[\\/]/.test(name);
}
