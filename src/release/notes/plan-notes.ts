import { compare, gt, lt, lte } from "semver";
import { type Changelog } from "../read-changelog.ts";
import { sectionOfCommits } from "../write-changelog.ts";
import type { ReleaseCommit } from "../read-commits.ts";
import { type Refusal, refused } from "../release-error.ts";
import { canonicalVersion, tagOf } from "../release-tag.ts";

/** The requested range of the notes. */
export type NotesSubject =
  /** The unreleased commits: those since the newest tag below HEAD. */
  | { type: "unreleased" }
  | { type: "version"; version: string }
  /** Any two revisions of git. */
  | { type: "range"; from: string; to: string };

/**
 * Returns the subject for `1.2.0`, `v1.2.0`, `v1.0.0..v1.2.0` or `v1.2.0..HEAD`; "" means the unreleased commits. null: any other
 * text.
 */
export function parseNotesSubject(text: string): NotesSubject | null {
  if (text === "") return { type: "unreleased" };
  const range = /^([^\s.-](?:\S*?[^\s.])?)\.\.([^\s.-]\S*)$/.exec(text);
  if (range !== null) return { type: "range", from: range[1] ?? "", to: range[2] ?? "" };
  const version = canonicalVersion(text.replace(/^v/, ""));
  return version === null ? null : { type: "version", version };
}

/** The commits that the notes cover. `from` null: from the beginning. */
export interface CommitSpan {
  from: string | null;
  to: string;
}

/** Returns the commits that the notes cover. `released`: the tagged versions, newest first. */
export function planSpan(subject: NotesSubject, released: readonly string[]): CommitSpan {
  switch (subject.type) {
    case "unreleased": {
      const [newest] = released;
      return { from: newest === undefined ? null : tagOf(newest), to: "HEAD" };
    }
    case "range":
      return { from: subject.from, to: subject.to };
    case "version": {
      const { version } = subject;
      const before = released.find((one) => lt(one, version));
      const to = released.includes(version) ? tagOf(version) : "HEAD";
      return { from: before === undefined ? null : tagOf(before), to };
    }
  }
}

/** Returns the changes as Markdown: the changelog's text if there is one, else the commits' subjects. */
export function notesBody(
  subject: NotesSubject,
  changelog: Changelog,
  commits: readonly ReleaseCommit[],
): { title: string; source: "changelog" | "commits"; body: string } | Refusal {
  const fromCommits = { source: "commits" as const, body: sectionOfCommits(commits) };
  switch (subject.type) {
    case "unreleased": {
      const written = changelog.unreleased?.body ?? "";
      return { title: "Unreleased", ...(written === "" ? fromCommits : fromChangelog(written)) };
    }
    case "version": {
      const { version } = subject;
      const section = changelog.released.find((one) => one.version === version);
      if (section !== undefined) return { title: tagOf(version), ...fromChangelog(section.body) };
      if (commits.length > 0) return { title: tagOf(version), ...fromCommits };
      return refused(
        "RELEASE_RANGE_UNKNOWN",
        `write the notes of ${version}: CHANGELOG.md has no section for it, and no commits lead to it`,
        "Name a version of CHANGELOG.md, or a range such as v1.0.0..HEAD.",
      );
    }
    case "range": {
      const title = `${subject.from}..${subject.to}`;
      const sections = sectionsBetween(changelog, subject.from, subject.to);
      return { title, ...(sections === "" ? fromCommits : fromChangelog(sections)) };
    }
  }
}

/** Returns the sections of the versions after the first tag up to the second, newest first; "" if these are not release tags. */
function sectionsBetween(changelog: Changelog, from: string, to: string): string {
  const [low, high] = [canonicalVersion(from.replace(/^v/, "")), canonicalVersion(to.replace(/^v/, ""))];
  if (low === null || high === null) return "";
  return changelog.released
    .filter(({ version }) => gt(version, low) && lte(version, high))
    .toSorted((a, b) => compare(b.version, a.version))
    .map(({ version, body }) => `## ${tagOf(version)}\n\n${body}`)
    .join("\n\n");
}

function fromChangelog(body: string): { source: "changelog"; body: string } {
  return { source: "changelog", body };
}
