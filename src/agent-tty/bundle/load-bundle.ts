import { isAscii } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { codeCacheFile, keepCode, readCode } from "./code-cache.ts";

/** A CommonJS bundle, `<program>-<name>.cjs`, in the directory above the loader's, next to the parts that it requires. */
export interface Bundle {
  program: "agent-tty" | "afk-triage";
  name: string;
}

interface Part {
  script: Script;
  module: { exports: unknown };
  /** Whether V8 accepted the cached code. */
  isKept: boolean;
}

/** Node modules that many commands do not need: each is loaded when one of its properties is first used. */
const LAZY = new Set([
  "node:child_process",
  "node:crypto",
  "node:net",
  "node:os",
  "node:readline",
  "node:v8",
  "node:zlib",
]);
/** The exit code of a usage error. No cache is written for a word that is not a command. */
const USAGE = 2;
/** Exit codes of signals begin here. No cache is written after a signal, because it would delay the reaction to Ctrl-C. */
const SIGNALLED = 128;
const HEAD = Buffer.from("(function (exports, require, module, __filename, __import) {");
const TAIL = Buffer.from("\n})");
const PART = /^\.\/[\w-]+\.cjs$/;

const require = createRequire(import.meta.url);

/**
 * Loads a bundle and returns its exports; the caller has to know their type. Reuses the code that V8 compiled for the same
 * command the last time, because a command must start fast (P1, P2): without this cache, Node 20 compiles everything it loads at
 * every start, and newer versions compile what is not in their own cache. `command` names the cache; a word that is not a command
 * has no cache.
 */
export function loadBundle({ program, name }: Bundle, command: string): unknown {
  const main = `./${program}-${name}.cjs`;
  const cache = codeCacheFile({ program, name }, statSync(pathOf(main)), command, process.env);
  const kept = cache === null ? new Map<string, Uint8Array>() : readCode(cache);
  const parts = new Map<string, Part>();

  const requirePart = (id: string): unknown => {
    if (!PART.test(id)) return lazyRequire(id);
    const loaded = parts.get(id);
    if (loaded !== undefined) return loaded.module.exports;
    const path = pathOf(id);
    const { script, isKept } = compile(path, kept.get(id));
    const part: Part = { script, isKept, module: { exports: {} } };
    parts.set(id, part);
    const run = script.runInThisContext() as (...given: unknown[]) => void;
    run(part.module.exports, requirePart, part.module, path, importPackage);
    return part.module.exports;
  };
  if (cache !== null)
    process.once("exit", (exitCode) => {
      if (exitCode === USAGE || exitCode >= SIGNALLED) return;
      // The cached code includes all functions that were compiled during the run.
      if ([...parts.values()].every(({ isKept }) => isKept)) return;
      for (const [id, { script }] of parts) kept.set(id, script.createCachedData());
      keepCode(cache, kept);
    });
  return requirePart(main);
}

function pathOf(part: string): string {
  return fileURLToPath(new URL(`.${part}`, import.meta.url));
}

function compile(path: string, cachedData: Uint8Array | undefined): Pick<Part, "script" | "isKept"> {
  const bytes = Buffer.concat([HEAD, readFileSync(path), TAIL]);
  // The bundler writes ASCII except in regular expressions. ASCII is read faster and takes half the memory.
  const script = new Script(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"), {
    filename: path,
    ...(cachedData !== undefined && { cachedData }),
  });
  return { script, isKept: cachedData !== undefined && script.cachedDataRejected !== true };
}

/** Imports a package that is not part of the bundle and may be an ES module. */
function importPackage(id: string): Promise<unknown> {
  return import(id);
}

function lazyRequire(id: string): unknown {
  if (!LAZY.has(id)) return require(id);
  return new Proxy({}, { get: (_, name) => (require(id) as Record<string | symbol, unknown>)[name] });
}
