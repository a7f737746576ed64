import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import type { LaunchedHost } from "../daemon/index.ts";
import { codeCacheFile, keepCode, readCode } from "./code-cache.ts";

/** The exports of the two bundles: the command line, and the process that hosts a detached Session. */
interface Bundles {
  client: {
    /** One command; resolves with its exit code. `host` was started for it ahead of time. */
    main: (argv: readonly string[], host: LaunchedHost | null) => Promise<number>;
  };
  host: { runHostProcess: () => Promise<void> };
}

/** Costs of Node's own modules that many commands need not pay: they are loaded when something of them is used. */
const LAZY = new Set(["node:child_process", "node:crypto", "node:net", "node:os"]);

const require = createRequire(import.meta.url);

/**
 * Loads a bundle with the code that V8 compiled for the same command the last time (P1, P2). Node 20 compiles what it loads at
 * every start, and newer ones what is not in their own cache. `command` names the cache; one that is no command has none.
 */
export function loadBundle<Name extends keyof Bundles>(name: Name, command: string): Bundles[Name] {
  const path = fileURLToPath(new URL(`../agent-tty-${name}.cjs`, import.meta.url));
  // The bundler writes ASCII only.
  const source = readFileSync(path, "latin1");
  const cache = codeCacheFile(name, statSync(path), command, process.env);
  const cachedData = cache === null ? null : readCode(cache);
  const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
    filename: path,
    ...(cachedData !== null && { cachedData }),
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, lazyRequire, module, path);
  if (cache !== null && (cachedData === null || script.cachedDataRejected === true))
    process.once("exit", (exitCode) => {
      // The cache includes all code that was compiled on the way. A word that is not a command has no cache.
      if (exitCode === 0) keepCode(cache, script.createCachedData());
    });
  return module.exports as Bundles[Name];
}

function lazyRequire(id: string): unknown {
  if (!LAZY.has(id)) return require(id);
  return new Proxy({}, { get: (_, name) => (require(id) as Record<string | symbol, unknown>)[name] });
}
