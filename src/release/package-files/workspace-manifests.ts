import { MANIFEST, type PackageManifest } from "./package-manifest.ts";

/** Returns whether the path is the package.json of one of the npm workspaces that the root names. */
export function isWorkspaceManifest(path: string, root: PackageManifest): boolean {
  if (path === MANIFEST || !path.endsWith(`/${MANIFEST}`)) return false;
  const folder = path.slice(0, -`/${MANIFEST}`.length);
  const named = root.workspaces ?? [];
  const patterns = Array.isArray(named) ? named : named.packages;
  return patterns.some((pattern) => matcherOf(pattern).test(folder));
}

/**
 * Returns a matcher of folders for `packages/*`, `src/agent-tty` and `./libs/**`. npm workspaces need no other patterns than these.
 */
function matcherOf(pattern: string): RegExp {
  const plain = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  const source = plain
    .replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`)
    .replaceAll("**", "\0")
    .replaceAll("*", "[^/]+")
    .replaceAll("\0", ".+");
  return new RegExp(`^${source}$`);
}
