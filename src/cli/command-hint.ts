import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { shellQuote } from "../workspaces/index.ts";

/** Where the program stands, and what its caller could type. */
export interface HintFacts {
  /** Directory of the bundle that runs. */
  bundle: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** null: there is nothing at that path. */
  realPath: (path: string) => string | null;
}

/**
 * How to start one of our binaries from here, for hints that can be pasted: its name where the PATH leads to it, `npx` with the
 * name where the current directory has it installed, else the file itself. A name alone could be another package of the registry.
 */
export function commandHint(binary: "afk-triage" | "agent-tty", facts: HintFacts = hintFacts()): string {
  const { bundle, cwd, env, realPath } = facts;
  const file = join(bundle, `${binary}.js`);
  const own = realPath(bundle) ?? bundle;
  const leadsHere = (path: string): boolean => {
    const real = realPath(path);
    return real !== null && real.startsWith(`${own}/`);
  };
  // npm and npx put their own directories on the PATH of what they start only.
  const isStartedByNpm = env["npm_command"] !== undefined;
  const path = (env["PATH"] ?? "").split(":").filter((directory) => directory.startsWith("/"));
  if (!isStartedByNpm && path.some((directory) => leadsHere(join(directory, binary)))) return binary;
  if (leadsHere(join(cwd, "node_modules/.bin", binary))) return `npx ${binary}`;
  const nearer = relative(cwd, file);
  return `node ${shellQuote(nearer.startsWith("..") ? file : nearer)}`;
}

function hintFacts(): HintFacts {
  return {
    bundle: dirname(fileURLToPath(import.meta.url)),
    cwd: process.cwd(),
    env: process.env,
    realPath: (path) => {
      try {
        return realpathSync(path);
      } catch {
        return null;
      }
    },
  };
}
