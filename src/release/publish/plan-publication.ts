import { prerelease } from "semver";
import type { Changelog } from "../read-changelog.ts";
import type { PackageManifest } from "../package-files/index.ts";
import { tagOf, versionOfTag } from "../release-tag.ts";

/** The facts about the checkout in which the Publish Pipeline was started. */
export interface PublicationFacts {
  /** The tag that triggered the pipeline. */
  tag: string;
  /** The remote's tag; null if it has none. */
  tagged: { commit: string; isAnnotated: boolean } | null;
  head: string;
  changedPaths: readonly string[];
  /** Whether the default branch contains the tagged commit. */
  isOnDefaultBranch: boolean;
  manifest: PackageManifest;
  changelog: Changelog;
}

/** A file of the package, as npm packed it. */
export interface PackedFile {
  path: string;
  sizeBytes: number;
}

/** Returns the dist-tag. A pre-release never moves `latest`, which `npm install` follows. */
export function distTagOf(version: string): "latest" | "next" {
  return prerelease(version) === null ? "latest" : "next";
}

/** Returns the reasons why this tag must not be published, each a sentence for people; empty if it may be (A25). */
export function publicationProblems(facts: PublicationFacts): string[] {
  const { tag, tagged, head, changedPaths, isOnDefaultBranch, manifest, changelog } = facts;
  const { version = "" } = manifest;
  const isReleased = changelog.released.some((section) => section.version === version);
  return [
    ...(versionOfTag(tag) === null ? [`${tag} is not a release tag: expected one such as v1.2.3`] : []),
    ...(tag === tagOf(version) ? [] : [`the tag is ${tag}, package.json says ${version || "nothing"}`]),
    ...(tagged === null ? [`the remote has no tag ${tag}`] : []),
    ...(tagged === null || tagged.isAnnotated ? [] : [`${tag} is a lightweight tag`]),
    ...(tagged === null || tagged.commit === head
      ? []
      : [`HEAD is ${head.slice(0, 8)}, ${tag} is ${tagged.commit.slice(0, 8)}`]),
    ...(isOnDefaultBranch || tagged === null ? [] : [`the commit of ${tag} is not on the default branch`]),
    ...(changedPaths.length === 0 ? [] : [`files are changed: ${changedPaths.slice(0, 5).join(", ")}`]),
    ...(isReleased ? [] : [`CHANGELOG.md has no section of ${version}`]),
    ...(manifest.private === true ? ["package.json says private"] : []),
  ];
}

/** Files that contain secrets, or are left over from work. */
const FORBIDDEN =
  /(?:^|\/)(?:\.env[^/]*|\.npmrc|\.git|\.ssh|node_modules|id_[a-z0-9]+|[^/]+\.(?:pem|key|p12|sqlite|cast|tgz|tsbuildinfo))(?:\/|$)/;

/** Files that no user runs, which are allowed only if package.json lists them. */
const UNPROMISED = /^(?:test|src|scripts|build|\.github|\.ci)\//;

const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;

/**
 * Returns the differences between the files that npm packed and the files that package.json promises; empty if there are none
 * (A25).
 */
export function packageProblems(files: readonly PackedFile[], manifest: PackageManifest): string[] {
  const promised = (manifest.files ?? []).map(plainPath);
  const paths = new Set(files.map(({ path }) => path));
  const bins = typeof manifest.bin === "string" ? [manifest.bin] : Object.values(manifest.bin ?? {});
  const has = (entry: string): boolean =>
    files.some(({ path }) => path === entry || path.startsWith(`${entry}/`));
  const missing = [
    ...["package.json", "README.md", "LICENSE"].filter((path) => !paths.has(path)),
    ...bins.map(plainPath).filter((path) => !paths.has(path)),
    ...promised.filter((entry) => !entry.includes("*") && !has(entry)),
  ];
  const isPromised = (path: string): boolean =>
    promised.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const forbidden = files
    .map(({ path }) => path)
    .filter((path) => FORBIDDEN.test(path) || (UNPROMISED.test(path) && !isPromised(path)));
  const empty = files.filter(({ sizeBytes }) => sizeBytes === 0).map(({ path }) => path);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return [
    ...[...new Set(missing)].map((path) => `${path} is missing from the package`),
    ...forbidden.map((path) => `${path} must not be in the package`),
    ...empty.map((path) => `${path} is empty in the package`),
    ...(sizeBytes <= MAX_UNPACKED_BYTES ? [] : [`the package unpacks to ${sizeBytes} bytes`]),
  ];
}

function plainPath(entry: string): string {
  return entry.replace(/^\.\//, "").replace(/\/+$/, "");
}
