import { type Refusal, refused } from "../release-error.ts";
import { editJson, type JsonEdit } from "./edit-json.ts";
import { DEPENDENCY_FIELDS, type PackageManifest, readManifest, MANIFEST } from "./package-manifest.ts";
import { isWorkspaceManifest } from "./workspace-manifests.ts";

/** The texts of files at the base commit, by path. */
export type FileTexts = ReadonlyMap<string, string>;

export const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json"] as const;

export interface VersionEdits {
  type: "edits";
  /** Only the files that change. */
  files: { path: string; text: string }[];
}

interface Step {
  from: string;
  to: string;
  /** Names of the packages whose version changes. */
  names: ReadonlySet<string>;
}

/**
 * Returns the edits of all files that contain the version: package.json, npm workspace packages of the same version and their
 * dependents, the lock file, and `versionFiles`, which contain the old version once, in quotes.
 */
export function planVersionEdits(
  texts: FileTexts,
  versionFiles: readonly string[],
  to: string,
): VersionEdits | Refusal {
  const root = readManifest(MANIFEST, texts.get(MANIFEST) ?? "");
  if (root.type === "refused") return root;
  const from = root.manifest.version ?? "";
  const packages = [{ path: MANIFEST, manifest: root.manifest }];
  for (const [path, text] of texts) {
    if (!isWorkspaceManifest(path, root.manifest)) continue;
    const read = readManifest(path, text);
    if (read.type === "refused") return read;
    packages.push({ path, manifest: read.manifest });
  }
  const moving = packages.filter(({ manifest }) => manifest.version === from);
  const step: Step = {
    from,
    to,
    names: new Set(moving.flatMap(({ manifest }) => (manifest.name === undefined ? [] : [manifest.name]))),
  };
  const edited = [
    ...packages.map(({ path, manifest }) => ({
      path,
      text: editJson(texts.get(path) ?? "", manifestEdits(manifest, step)),
    })),
    ...LOCK_FILES.filter((path) => texts.has(path)).map((path) => ({
      path,
      text: editJson(texts.get(path) ?? "", lockEdits(packages, step)),
    })),
  ];
  for (const path of versionFiles) {
    const text = withVersion(texts.get(path), step);
    if (text === null)
      return refused(
        "RELEASE_PACKAGE_UNUSABLE",
        `set the version in ${path}: "${from}" does not occur in it exactly once`,
        "Correct the file or --version-file.",
      );
    edited.push({ path, text });
  }
  return { type: "edits", files: edited.filter(({ path, text }) => text !== texts.get(path)) };
}

function manifestEdits(manifest: PackageManifest, step: Step, at: readonly string[] = []): JsonEdit[] {
  const own = manifest.version === step.from ? [{ path: [...at, "version"], value: step.to }] : [];
  const ranges = DEPENDENCY_FIELDS.flatMap((field) =>
    Object.entries(manifest[field] ?? {}).flatMap(([name, range]) => {
      const moved = step.names.has(name) ? movedRange(range, step) : null;
      return moved === null ? [] : [{ path: [...at, field, name], value: moved }];
    }),
  );
  return [...own, ...ranges];
}

/**
 * Returns the range with the new version, for `1.0.0`, `^1.0.0` and `~1.0.0`, with or without `workspace:`; null for any other
 * range.
 */
function movedRange(range: string, { from, to }: Step): string | null {
  const prefix = ["", "^", "~", "workspace:", "workspace:^", "workspace:~"].find(
    (one) => range === `${one}${from}`,
  );
  return prefix === undefined ? null : `${prefix}${to}`;
}

/** Returns the edits of a lock file of version 2 or 3: https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
function lockEdits(packages: readonly { path: string; manifest: PackageManifest }[], step: Step): JsonEdit[] {
  const [root] = packages;
  const own = root?.manifest.version === step.from ? [{ path: ["version"], value: step.to }] : [];
  return [
    ...own,
    ...packages.flatMap(({ path, manifest }) => {
      const folder = path === MANIFEST ? "" : path.slice(0, -`/${MANIFEST}`.length);
      return manifestEdits(manifest, step, ["packages", folder]);
    }),
  ];
}

function withVersion(text: string | undefined, { from, to }: Step): string | null {
  const quoted = `"${from}"`;
  const parts = text?.split(quoted) ?? [];
  return parts.length === 2 ? parts.join(`"${to}"`) : null;
}
