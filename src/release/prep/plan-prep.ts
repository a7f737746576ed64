import { textAsLine } from "../../github/index.ts";
import { readChangelog } from "../read-changelog.ts";
import { sectionOfCommits, withRelease } from "../write-changelog.ts";
import type { ReleaseCommit } from "../read-commits.ts";
import { type FileTexts, MANIFEST, planVersionEdits, readManifest } from "../package-files/index.ts";
import { type Refusal, refused } from "../release-error.ts";
import { releaseBranchOf, tagOf } from "../release-tag.ts";
import { chooseVersion, type VersionWish } from "../choose-version.ts";

export const CHANGELOG = "CHANGELOG.md";

export interface PrepFacts {
  base: { branch: string; commit: string };
  /** The version of the newest release tag below the base. */
  lastVersion: string | null;
  /** The commits since that tag, newest first. */
  commits: readonly ReleaseCommit[];
  /** Names of all tags, here and on the remote. */
  tags: ReadonlySet<string>;
  texts: FileTexts;
}

export interface PrepRequest {
  wish: VersionWish;
  versionFiles: readonly string[];
  /** The date of the release, such as `2026-11-22`. */
  date: string;
}

/** The whole content of the release branch. */
export interface PrepPlan {
  type: "plan";
  version: string;
  previousVersion: string | null;
  reasons: string[];
  base: PrepFacts["base"];
  branch: string;
  files: { path: string; text: string }[];
  /** The changelog's section of the version, without its heading. */
  section: string;
  /** The changes according to the commits, with which the reviewer compares the section. */
  commitList: string;
  message: string;
}

/** Returns the plan of the next version and of the one commit that sets it (A23). */
export function planPrep(facts: PrepFacts, request: PrepRequest): PrepPlan | Refusal {
  const manifest = readManifest(MANIFEST, facts.texts.get(MANIFEST) ?? "");
  if (manifest.type === "refused") return manifest;
  const packageVersion = manifest.manifest.version ?? "";
  const changelog = readChangelog(facts.texts.get(CHANGELOG) ?? "");
  const isWaiting = changelog.released.some(({ version }) => version === packageVersion);
  if (isWaiting && !facts.tags.has(tagOf(packageVersion))) return unfinished(packageVersion);
  if (facts.commits.length === 0) return nothingNew(facts);
  const chosen = chooseVersion({ ...facts, packageVersion, changelog }, request.wish);
  if (chosen.type === "refused") return chosen;
  const { version, reasons } = chosen;
  if (facts.tags.has(tagOf(version))) return tagTaken(version);
  const edits = planVersionEdits(facts.texts, request.versionFiles, version);
  if (edits.type === "refused") return edits;
  const released = withRelease(changelog, { ...request, version, commits: facts.commits });
  if (released.type === "refused") return released;
  return {
    type: "plan",
    version,
    previousVersion: facts.lastVersion,
    reasons,
    base: facts.base,
    branch: releaseBranchOf(version),
    files: [...edits.files, { path: CHANGELOG, text: released.text }],
    section: released.section,
    commitList: sectionOfCommits(facts.commits),
    message: `Release ${tagOf(version)}\n\n${reasons.map((reason) => `- ${textAsLine(reason)}`).join("\n")}\n`,
  };
}

function unfinished(version: string): Refusal {
  return refused(
    "RELEASE_UNFINISHED",
    `prepare a release: ${version} is in package.json and CHANGELOG.md of the default branch, and has no tag`,
    "Run `afk-triage release finalize` first.",
  );
}

function nothingNew({ base, lastVersion }: PrepFacts): Refusal {
  const since = lastVersion === null ? "" : ` since ${tagOf(lastVersion)}`;
  return refused(
    "RELEASE_NOTHING_NEW",
    `prepare a release: ${base.branch} has no commit${since} that was not reverted`,
    "Merge the changes that you want to release.",
  );
}

function tagTaken(version: string): Refusal {
  return refused(
    "RELEASE_TAG_TAKEN",
    `prepare ${version}: the tag ${tagOf(version)} already exists, and is not in the history of the default branch`,
    "Name another version with --version.",
  );
}
