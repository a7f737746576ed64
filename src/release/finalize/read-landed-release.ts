import { readChangelog } from "../read-changelog.ts";
import { changesOf, type Git, readFileAt, readObjects } from "../git/index.ts";
import { MANIFEST, readManifest } from "../package-files/index.ts";
import { refused, releaseError } from "../release-error.ts";
import { canonicalVersion } from "../release-tag.ts";
import type { LandedRelease } from "./plan-finalize.ts";

const CHANGELOG = "CHANGELOG.md";

/**
 * Returns the version in package.json at the tip, and the commit that set it: the merge of the release branch, even if others were
 * merged after it. If package.json had the version of a first release from the start, the commit is the one that added the
 * changelog's section.
 */
export async function readLandedRelease(git: Git, tip: string): Promise<LandedRelease> {
  const version = versionIn(await readFileAt(git, tip, MANIFEST));
  if (version === null)
    throw releaseError(
      refused(
        "RELEASE_PACKAGE_UNUSABLE",
        `tag the release: ${MANIFEST} at ${tip.slice(0, 8)} has no semantic version`,
        "Prepare a release first: afk-triage release prep.",
      ),
    );
  const changes = await changesOf(git, tip, MANIFEST);
  const texts = await readObjects(
    git,
    changes.map((change) => `${change}:${MANIFEST}`),
  );
  const other = texts.findIndex((text) => versionIn(text) !== version);
  const became = (other === -1 ? changes : changes.slice(0, other)).at(-1) ?? tip;
  const { commit, section } = await whereDescribed(git, { version, became, tip });
  const above = await git.text(["rev-list", "--count", "--first-parent", `${commit}..${tip}`]);
  return { version, commit, section, commitsAbove: Number(above) };
}

async function whereDescribed(
  git: Git,
  { version, became, tip }: { version: string; became: string; tip: string },
): Promise<Pick<LandedRelease, "commit" | "section">> {
  const later = await changesOf(git, `${became}..${tip}`, CHANGELOG);
  const commits = [became, ...later.toReversed()];
  const texts = await readObjects(
    git,
    commits.map((commit) => `${commit}:${CHANGELOG}`),
  );
  const sections = texts.map(
    (text) => readChangelog(text ?? "").released.find((one) => one.version === version)?.body ?? null,
  );
  const at = sections.findIndex((section) => section !== null);
  return { commit: commits[at] ?? became, section: sections[at] ?? null };
}

function versionIn(text: string | null): string | null {
  const read = readManifest(MANIFEST, text ?? "");
  return read.type === "refused" ? null : canonicalVersion(read.manifest.version ?? "");
}
