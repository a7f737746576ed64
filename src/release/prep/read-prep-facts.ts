import { type ReleaseCommit, readCommits } from "../read-commits.ts";
import {
  type Git,
  listFilesAt,
  readFileAt,
  readFilesAt,
  readRange,
  readTags,
  type RemoteFacts,
  tagsBelow,
} from "../git/index.ts";
import { isWorkspaceManifest, LOCK_FILES, MANIFEST, readManifest } from "../package-files/index.ts";
import { releasedVersions, tagOf } from "../release-tag.ts";
import { CHANGELOG, type PrepFacts } from "./plan-prep.ts";

/** Returns everything in the base commit that determines the content of the release. */
export async function readPrepFacts(
  git: Git,
  remote: RemoteFacts,
  versionFiles: readonly string[],
): Promise<PrepFacts> {
  const base = { branch: remote.defaultBranch, commit: remote.commit };
  const local = await readTags(git);
  const [lastVersion = null] = releasedVersions(await tagsBelow(git, base.commit));
  return {
    base,
    lastVersion,
    commits: await commitsSince(git, lastVersion, base.commit),
    tags: new Set([...local.keys(), ...remote.tags.keys()]),
    texts: await readTexts(git, base.commit, versionFiles),
  };
}

/** Returns the commits from the tag of `version` (null: from the beginning) up to `to`. */
export async function commitsSince(git: Git, version: string | null, to: string): Promise<ReleaseCommit[]> {
  return readCommits(await readRange(git, version === null ? null : `refs/tags/${tagOf(version)}`, to));
}

async function readTexts(
  git: Git,
  commit: string,
  versionFiles: readonly string[],
): Promise<Map<string, string>> {
  const manifestText = (await readFileAt(git, commit, MANIFEST)) ?? "";
  const root = readManifest(MANIFEST, manifestText);
  const members =
    root.type === "refused"
      ? []
      : (await listFilesAt(git, commit)).filter((path) => isWorkspaceManifest(path, root.manifest));
  const paths = new Set([MANIFEST, ...members, ...LOCK_FILES, CHANGELOG, ...versionFiles]);
  return readFilesAt(git, commit, [...paths]);
}
