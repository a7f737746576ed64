import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, OperationalError } from "agent-tty/kit";
import { readChangelog } from "../read-changelog.ts";
import { fetchRemote, type Git, isAncestor, readCheckout } from "../git/index.ts";
import { MANIFEST, type PackageManifest, readManifest } from "../package-files/index.ts";
import { releaseError } from "../release-error.ts";
import type { Npm, PackedPackage, PublishErrorCode } from "./npm.ts";
import { distTagOf, packageProblems, publicationProblems } from "./plan-publication.ts";

export const PUBLISH_STAGES = ["validate", "package", "publish"] as const;
export type PublishStage = (typeof PUBLISH_STAGES)[number];

export interface PublishOptions {
  /** The tag that triggered the pipeline. */
  tag: string;
  remote: string;
  /** The last stage to run. */
  until: PublishStage;
  /** The directory for the tarball. */
  into: string;
  /** The repository that the packed package.json must name; null leaves it unchanged. */
  repositoryUrl: string | null;
}

export interface PublishPorts {
  git: Git;
  npm: Npm;
  /** Whether this machine can prove where the package was built. */
  canProveOrigin: boolean;
}

/** The document that `npm run release:publish` prints to stdout. */
export interface PublishSummary {
  schema: "afk-triage/release-publish@1";
  status: "validated" | "packaged" | "published" | "already-published";
  name: string;
  version: string;
  tag: string;
  distTag: string;
  tarball: string | null;
  integrity: string | null;
  files: number | null;
}

/** Publishes the version of a tag to the registry (A25). It publishes exactly the tarball that it has checked. */
export async function publishRelease(options: PublishOptions, ports: PublishPorts): Promise<PublishSummary> {
  const { until, tag } = options;
  const manifest = await validate(options, ports);
  const { name = "", version = "" } = manifest;
  const facts = { schema: "afk-triage/release-publish@1", name, version, tag } as const;
  const unpacked = { ...facts, distTag: distTagOf(version), tarball: null, integrity: null, files: null };
  if (until === "validate") return { ...unpacked, status: "validated" };
  const packed = await pack(options, manifest, ports);
  const { tarball, integrity } = packed;
  const summary = { ...unpacked, tarball, integrity, files: packed.files.length };
  if (until === "package") return { ...summary, status: "packaged" };
  if ((await ports.npm.published(name, version)) !== null) return { ...summary, status: "already-published" };
  if (!ports.canProveOrigin) throw originUnproven();
  await ports.npm.publish(tarball, { distTag: summary.distTag });
  return { ...summary, status: "published" };
}

async function validate(
  { tag, remote: name }: PublishOptions,
  { git }: PublishPorts,
): Promise<PackageManifest> {
  const remote = await fetchRemote(git, name);
  const checkout = await readCheckout(git);
  // The tag is read from the remote, because a checkout of a single tag may have turned it into a lightweight one here.
  const tagged = remote.tags.get(tag) ?? null;
  const read = readManifest(MANIFEST, await textOf(git, MANIFEST));
  if (read.type === "refused") throw releaseError(read);
  const { manifest } = read;
  refuse(
    `publish ${tag}`,
    publicationProblems({
      tag,
      tagged,
      head: checkout.commit,
      changedPaths: checkout.changedPaths,
      isOnDefaultBranch: tagged !== null && (await isAncestor(git, tagged.commit, remote.commit)),
      manifest,
      changelog: readChangelog(await textOf(git, "CHANGELOG.md")),
    }),
  );
  return manifest;
}

async function pack(
  { tag, into, repositoryUrl }: PublishOptions,
  manifest: PackageManifest,
  { git, npm }: PublishPorts,
): Promise<PackedPackage> {
  const packed = await npm.pack(git.directory, into, repositoryUrl);
  refuse(`publish the package of ${tag}`, packageProblems(packed.files, manifest));
  return packed;
}

function refuse(attempted: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new OperationalError<PublishErrorCode>({
    code: "PUBLISH_REFUSED",
    message: `${attempted}: ${problems.join("; ")}`,
    remedy: "Correct it on the default branch and release the next version: a tag is never moved.",
  });
}

function originUnproven(): OperationalError<PublishErrorCode> {
  return new OperationalError({
    code: "PROVENANCE_UNAVAILABLE",
    message: "publish with provenance: this machine has no identity that the registry could check",
    remedy:
      "Publish from the release workflow (permissions: id-token: write), or add --dry-run to check only.",
  });
}

async function textOf(git: Git, path: string): Promise<string> {
  return readFile(join(git.directory, path), "utf8").catch((error: unknown) => {
    throw new OperationalError<PublishErrorCode>({
      code: "PUBLISH_REFUSED",
      message: `publish: read ${path}: ${messageOf(error)}`,
      remedy: "Start the pipeline in a checkout of the tag.",
      cause: error,
    });
  });
}
