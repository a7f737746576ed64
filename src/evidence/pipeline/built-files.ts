import { shellQuote } from "../../workspaces/index.ts";

/** Installed dependencies, and what says how a built product is loaded. */
const NOT_BUILT =
  /(?:^|\/)(?:node_modules|site-packages|vendor|\.bundle|\.yarn|\.git)(?:\/|$)|(?:^|\/)package\.json$/;
const NOT_COMPARED = "-name .git -o -name node_modules";
const LIMIT_SECONDS = 60;
const MAX_SIZE = "256M";

/** What tells what a script may build again. */
export interface BuiltFacts {
  /** Paths that git tracks; none: git could not tell. */
  readonly tracked: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  /** The run had the product as it is. */
  readonly isWhole: boolean;
}

/**
 * Whether a changed file of a run is one that the set-up had built, and that a script may build again: the bytes are the same, or it is no
 * source of the product. In a run with a changed product a build makes other bytes of it.
 */
export function isRebuilt(path: string, isSame: boolean, { tracked, sources, isWhole }: BuiltFacts): boolean {
  if (tracked.size === 0 || tracked.has(path) || path.startsWith("../")) return false;
  if (NOT_BUILT.test(path)) return isSame;
  return isSame || !isWhole || !sources.has(path);
}

/**
 * bash: prints, for each file below `run` that has changed since `mark` was and is in `pristine` too, the hashes of both. A
 * script could leave files that take very long to read, so time and size are bounded; a file that is left out counts as another one.
 */
export function compareBuilt(run: string, pristine: string, mark: string): string {
  const find = `find . \\( ${NOT_COMPARED} \\) -prune -o -type f -size -${MAX_SIZE} -cnewer "$1" -print0`;
  const inBoth = `${find} | while IFS= read -r -d "" one; do [ ! -f "$2/$one" ] || printf "%s\\0" "$one"; done`;
  const hash = "xargs -0 -r sha256sum --zero --";
  const lines = `${inBoth} | ${hash}; ${inBoth} | ( cd -- "$2" && ${hash} )`;
  return `( cd ${run} && timeout ${LIMIT_SECONDS} bash -c ${shellQuote(lines)} _ ${mark} ${pristine} ) 2>/dev/null`;
}

/** The paths of which `compareBuilt` has printed the same hash twice. */
export function readSame(text: string): ReadonlySet<string> {
  const first = new Map<string, string>();
  const same = new Set<string>();
  for (const entry of text.split("\0")) {
    const [, hash, path] = /^([0-9a-f]{64})  \.\/([^]+)$/.exec(entry) ?? [];
    if (hash === undefined || path === undefined) continue;
    if (first.get(path) === hash) same.add(path);
    first.set(path, hash);
  }
  return same;
}
