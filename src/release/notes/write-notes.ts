import type { RepositoryName } from "../../github/index.ts";
import { readChangelog } from "../read-changelog.ts";
import { readCommits } from "../read-commits.ts";
import { type Git, readFileAt, readRange, tagsBelow } from "../git/index.ts";
import { refused, releaseError } from "../release-error.ts";
import { releasedVersions } from "../release-tag.ts";
import {
  type KnownRegression,
  knownRegressions,
  regressionKeys,
  regressionLines,
  type RegressionPorts,
} from "./known-regressions.ts";
import { notesBody, type NotesSubject, planSpan } from "./plan-notes.ts";

/** The document that `release notes` prints to stdout. */
export interface NotesSummary {
  schema: "afk-triage/release-notes@1";
  title: string;
  range: { from: string | null; to: string };
  /** The source of the text. */
  source: "changelog" | "commits";
  /** null: the repository is unknown, so no reproductions were read. */
  repo: RepositoryName | null;
  regressions: KnownRegression[];
  /** `closed`: a known regression is still open. */
  gate: "open" | "closed";
  markdown: string;
}

/**
 * Returns release notes from changelog and commits, with the known regressions if `repo` is given. Rejects with a ReleaseErrorCode
 * if git does not find a revision.
 */
export async function writeNotes(
  request: { subject: NotesSubject; repo: RepositoryName | null },
  ports: RegressionPorts & { git: Git },
): Promise<NotesSummary> {
  const { subject, repo } = request;
  const { git } = ports;
  const { from, to } = planSpan(subject, releasedVersions(await tagsBelow(git, "HEAD")));
  for (const revision of [from, to]) if (revision !== null) await checkRevision(git, revision);
  const commits = readCommits(await readRange(git, from, to));
  const changelog = readChangelog((await readFileAt(git, "HEAD", "CHANGELOG.md")) ?? "");
  const notes = notesBody(subject, changelog, commits);
  if ("type" in notes) throw releaseError(notes);
  const regressions = repo === null ? [] : await knownRegressions(repo, ports);
  const { title, source, body } = notes;
  return {
    schema: "afk-triage/release-notes@1",
    title,
    range: { from, to },
    source,
    repo,
    regressions,
    gate: regressions.length === 0 ? "open" : "closed",
    markdown: [body, regressionLines(regressions)].filter(Boolean).join("\n\n") + "\n",
  };
}

/** Returns one line for people that says why the gate is closed. */
export function gateMessage({ regressions }: NotesSummary): string {
  return `the gate is closed: ${regressionKeys(regressions).join(", ")} still broken and open`;
}

async function checkRevision(git: Git, revision: string): Promise<void> {
  const known = await git.ask([
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`,
  ]);
  if (known.exitCode === 0) return;
  throw releaseError(
    refused(
      "RELEASE_RANGE_UNKNOWN",
      `write the notes: git knows no ${revision} here`,
      "Fetch it (git fetch --tags), or name another range.",
    ),
  );
}
