import { AsyncLocalStorage, createHook } from "node:async_hooks";
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { config } from "./config.ts";
import type { Bag, Callable } from "./known-objects.ts";
import { noteFact } from "./memory.ts";

// Records whether a function that the script gives to the product does more than change values of the script. Such a script may print its
// text in the function, and check nothing.

const WRITING =
  /^(?:write|append|open|create|mk|rm|unlink|rename|copy|cp|sym|link|truncate|ftruncate|chmod|utimes)/;

let inside: (<T>(call: () => T) => T) | null = null;
const recordEffect = (): void => noteFact("effect");

/** Runs a function that the script has given, and records once whether it has effects, also later ones. */
export function whileWatched<T>(call: () => T): T {
  inside ??= watch();
  const code = process.exitCode;
  try {
    return inside(call);
  } catch (error) {
    recordEffect();
    throw error;
  } finally {
    if (process.exitCode !== code) recordEffect();
  }
}

function watch(): NonNullable<typeof inside> {
  const storage = new AsyncLocalStorage<true>();
  const isInside = (): boolean => storage.getStore() === true;
  const watchFunctions = (holder: object, names: readonly string[]): void => {
    for (const name of names) recordCalls(holder as Bag, name, isInside);
  };
  for (const stream of [process.stdout, process.stderr]) watchFunctions(stream, ["write", "end"]);
  watchFunctions(process, ["exit", "reallyExit", "abort", "kill", "emit", "send"]);
  const writing = (holder: object): string[] => Object.keys(holder).filter((name) => WRITING.test(name));
  for (const holder of [fs, fs.promises]) watchFunctions(holder, writing(holder));
  watchFunctions(childProcess, Object.keys(childProcess));
  syncBuiltinESMExports();
  // The code that awaits the promise continues because the function has run.
  createHook({ promiseResolve: () => isInside() && recordEffect() }).enable();
  noteUnhandled();
  noteFact("watched");
  return (call) => storage.run(true, call);
}

/** Records that a promise was rejected that nobody handled. The run time emits this event for itself, also without a listener. */
function noteUnhandled(): void {
  const holder = process as unknown as Bag;
  holder["emit"] = new Proxy(holder["emit"] as Callable, {
    apply(target, self, args: unknown[]): unknown {
      if (args[0] === "unhandledRejection") noteFact("unhandled");
      return Reflect.apply(target, self, args);
    },
  });
}

function recordCalls(holder: Bag, name: string, isInside: () => boolean): void {
  const real = holder[name];
  if (typeof real !== "function") return;
  try {
    holder[name] = new Proxy(real as Callable, {
      apply(target, self, args: unknown[]): unknown {
        // The layer itself appends to the file of answers.
        if (isInside() && args[0] !== config.answers) recordEffect();
        return Reflect.apply(target, self, args);
      },
      construct(target, args: unknown[], made) {
        if (isInside()) recordEffect();
        return Reflect.construct(target, args, made) as object;
      },
    });
  } catch {}
}
