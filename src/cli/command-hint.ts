import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { shellQuote } from "agent-tty/kit";

/** The facts on which a hint depends: where the program is installed, and what its caller can type. */
export interface HintFacts {
  /** Directory of the running bundle. */
  bundle: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Returns the real path; null if nothing exists at that path. */
  realPath: (path: string) => string | null;
}

/**
 * Returns a command that starts one of our binaries from the current directory, for hints that can be pasted: its name if the
 * PATH leads to it, `npx` with the name if it is installed in the current directory, else `node` with the file. A bare name could
 * be another package of the registry.
 */
export function commandHint(binary: "afk-triage" | "agent-tty", facts: HintFacts = hintFacts()): string {
  const { bundle, cwd, env, realPath } = facts;
  const file = join(bundle, `${binary}.js`);
  const own = realPath(bundle) ?? bundle;
  const leadsHere = (path: string): boolean => {
    const real = realPath(path);
    return real !== null && real.startsWith(`${own}/`);
  };
  // npm and npx add their own directories only to the PATH of the programs they start.
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
