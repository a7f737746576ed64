import { isAscii } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { codeCacheFile, keepCode, readCode } from "./code-cache.ts";

/** A CommonJS bundle, `<program>-<name>.cjs`, one directory above that of the loader, with the parts that it requires beside it. */
export interface Bundle {
  program: "agent-tty" | "afk-triage";
  name: string;
}

interface Part {
  script: Script;
  module: { exports: unknown };
  /** Whether V8 took the code that was kept. */
  isKept: boolean;
}

/** Costs of Node's own modules that many commands need not pay: they are loaded when something of them is used. */
const LAZY = new Set(["node:child_process", "node:crypto", "node:net", "node:os"]);
/** A word that is not a command has no cache. */
const USAGE = 2;
/** The exit codes of signals begin here. Nobody waits for the cache after Ctrl-C. */
const SIGNALLED = 128;
const HEAD = Buffer.from("(function (exports, require, module, __filename, __import) {");
const TAIL = Buffer.from("\n})");
const PART = /^\.\/[\w-]+\.cjs$/;

const require = createRequire(import.meta.url);

/**
 * Loads a bundle with the code that V8 compiled for the same command the last time (P1, P2). Node 20 compiles what it loads at
 * every start, and newer ones what is not in their own cache. `command` names the cache; one that is no command has none.
 * Returns the exports of the bundle, which the caller has to know.
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
      // The cache includes all code that was compiled on the way.
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
  // The bundler writes ASCII but for regular expressions. ASCII is read faster, and kept in half the memory.
  const script = new Script(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"), {
    filename: path,
    ...(cachedData !== undefined && { cachedData }),
  });
  return { script, isKept: cachedData !== undefined && script.cachedDataRejected !== true };
}

/** A package outside of the bundle that may be an ES module. */
function importPackage(id: string): Promise<unknown> {
  return import(id);
}

function lazyRequire(id: string): unknown {
  if (!LAZY.has(id)) return require(id);
  return new Proxy({}, { get: (_, name) => (require(id) as Record<string | symbol, unknown>)[name] });
}
