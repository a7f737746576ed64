import { type Refusal, refused } from "../release-error.ts";
import { releaseBranchOf, tagOf } from "../release-tag.ts";
import type { TagFacts } from "../git/index.ts";

/** The commit of the default branch at which a version was merged. */
export interface LandedRelease {
  version: string;
  commit: string;
  /** The version's section of CHANGELOG.md at that commit; null if there is none. */
  section: string | null;
  /** The number of commits of the default branch above it. */
  commitsAbove: number;
}

export interface FinalizeFacts {
  remoteName: string;
  landed: LandedRelease;
  /** null if the tag does not exist. */
  localTag: TagFacts | null;
  remoteTagCommit: string | null;
  sign: boolean;
  /** A version whose release branch exists and is not merged; null if no such version is newer than the landed one. */
  preparedVersion: string | null;
}

export interface FinalizePlan {
  type: "plan";
  tag: string;
  commit: string;
  message: string;
  sign: boolean;
  /** The remaining steps: an earlier, interrupted finalize may have done a part of them. */
  creates: boolean;
  isPublished: boolean;
}

/** Returns which commit gets which tag, and which steps are already done (A24). */
export function planFinalize(facts: FinalizeFacts, wished: string | null): FinalizePlan | Refusal {
  const { landed, localTag, remoteTagCommit, remoteName, sign, preparedVersion } = facts;
  const { version, commit, section } = landed;
  const tag = tagOf(version);
  if (wished !== null && wished !== version)
    return notLanded(`${wished} is not merged: package.json of the default branch says ${version}`);
  if (section === null)
    return notLanded(
      `CHANGELOG.md at ${commit.slice(0, 8)}, where package.json became ${version}, has no section for it`,
    );
  if (preparedVersion !== null && wished === null && remoteTagCommit === commit)
    return notLanded(
      `${releaseBranchOf(preparedVersion)} is prepared and not merged; the default branch still has ${version}, which is published`,
    );
  const elsewhere = [
    ["here", localTag?.commit ?? null],
    [`on ${remoteName}`, remoteTagCommit],
  ].find(([, at]) => at !== null && at !== commit);
  if (elsewhere !== undefined)
    return taken(
      `${tag} is ${elsewhere[0]} at ${elsewhere[1]?.slice(0, 8)}, the release is ${commit.slice(0, 8)}`,
    );
  const isPublished = remoteTagCommit !== null;
  if (localTag !== null && !localTag.isAnnotated && !isPublished)
    return taken(`${tag} is a lightweight tag here; a release has an annotated one`);
  return {
    type: "plan",
    tag,
    commit,
    message: `${tag}\n\n${section}\n`,
    sign,
    creates: localTag === null && !isPublished,
    isPublished,
  };
}

function notLanded(seen: string): Refusal {
  return refused(
    "RELEASE_NOT_LANDED",
    `tag the release: ${seen}`,
    "Merge the branch of `afk-triage release prep` first.",
  );
}

function taken(seen: string): Refusal {
  return refused(
    "RELEASE_TAG_TAKEN",
    `tag the release: ${seen}`,
    "Find out who created that tag. If it was never pushed, delete it with git tag -d. If it is published, leave it and prepare another version.",
  );
}
