import { textAsLine } from "../github/index.ts";
import type { ReleaseCommit } from "./read-commits.ts";
import { type Refusal, refused } from "./release-error.ts";
import type { Changelog } from "./read-changelog.ts";

export interface SectionRequest {
  version: string;
  /** The date of the release, such as `2026-11-22`. */
  date: string;
  commits: readonly ReleaseCommit[];
}

export interface ReleasedChangelog {
  type: "changelog";
  text: string;
  /** The text of the release's section, without its heading. */
  section: string;
}

const NEW_CHANGELOG = "# Changelog\n";

/**
 * Returns the changelog with a section for the version; everything else is unchanged. The section is the text under "Unreleased",
 * or a list of the commits if that is empty.
 */
export function withRelease(changelog: Changelog, request: SectionRequest): ReleasedChangelog | Refusal {
  const { version, date, commits } = request;
  const { unreleased, released } = changelog;
  if (released.some((section) => section.version === version))
    return refused(
      "RELEASE_SECTION_TAKEN",
      `write the changelog of ${version}: CHANGELOG.md already has a section for this version, but no tag exists`,
      `Move its entries under "Unreleased", or tag that version; then run again.`,
    );
  const written = unreleased?.body ?? "";
  const section = written === "" ? sectionOfCommits(commits) : written;
  const added = `## Unreleased\n\n## ${version} (${date})\n\n${section}\n`;
  const text = changelog.text.trim() === "" ? NEW_CHANGELOG : changelog.text;
  const start = unreleased?.start ?? released[0]?.start ?? text.length;
  const rest = text.slice(unreleased?.end ?? start);
  const before = text.slice(0, start).trimEnd();
  return {
    type: "changelog",
    section,
    text: `${before}\n\n${added}${rest === "" ? "" : `\n${rest.trimStart()}`}`,
  };
}

type Group = "Added" | "Changed" | "Fixed";
const GROUPS: readonly Group[] = ["Added", "Changed", "Fixed"];

/** Returns the commits as a section, grouped by the headings of https://keepachangelog.com, oldest first. */
export function sectionOfCommits(commits: readonly ReleaseCommit[]): string {
  const entries = commits.toReversed().flatMap((commit) => {
    const group = groupOf(commit);
    return group === null ? [] : [{ group, line: entryOf(commit) }];
  });
  if (entries.length === 0)
    return "### Changed\n\n- Nothing that users see: documentation, tests and tooling only.";
  return GROUPS.flatMap((group) => {
    const lines = entries.filter((entry) => entry.group === group).map(({ line }) => line);
    return lines.length === 0 ? [] : [`### ${group}\n\n${lines.join("\n")}`];
  }).join("\n\n");
}

/** Returns the group of a commit; null if no user would notice its change. */
function groupOf({ type, isBreaking }: ReleaseCommit): Group | null {
  switch (type) {
    case "feat":
      return "Added";
    case "fix":
      return "Fixed";
    case "perf":
    case "revert":
    case null:
      return "Changed";
    case "refactor":
    case "docs":
    case "style":
    case "test":
    case "build":
    case "ci":
    case "chore":
      return isBreaking ? "Changed" : null;
  }
}

function entryOf({ hash, subject, isBreaking, breakingNote }: ReleaseCommit): string {
  const note = breakingNote === "" ? "" : `: ${textAsLine(breakingNote)}`;
  return `- ${isBreaking ? "**Breaking:** " : ""}${textAsLine(subject)}${note} (${hash.slice(0, 8)})`;
}
