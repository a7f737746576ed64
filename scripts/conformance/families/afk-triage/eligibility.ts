import { z } from "zod";
import { findTriageNotes, type Person } from "../../../../src/github/index.ts";
import { decideEligibility } from "../../../../src/triage/index.ts";
import { type CaseReport, compare, compareDocumented } from "../../case-report.ts";
import { commentWith, issueWith, nowMs, ref, reporter, settings } from "./issues.ts";

export const eligibilitySchema = z.object({
  labels: z.array(z.string()),
  comments: z.array(z.object({ body: z.string(), createdAt: z.string(), author: z.string().optional() })),
  issue_author: z.string().default(reporter.login),
  /** Absent if the case is not about trust; null if no author is configured. */
  trusted: z.array(z.string()).nullish(),
  expect: z.union([z.tuple([z.boolean()]), z.tuple([z.boolean(), z.string()])]),
});
type EligibilityCase = z.infer<typeof eligibilitySchema>;

/** The author of a marker without a named author; also of markers with this author name in cases that are not about trust. */
const OURSELVES: Person = { id: 1, login: "triage-bot", isBot: true };

export function checkEligibility(one: EligibilityCase, index: number): CaseReport {
  const id = `eligibility ${index + 1}`;
  const verdict = decide(one);
  const isEligible = verdict.type === "eligible";
  const seen = one.expect.length === 1 || !isEligible ? [isEligible] : [true, verdict.reason];
  // S4: when no author is configured, the cases' origin trusts every marker, and this project only its own.
  if (one.trusted !== null) return compare(id, one.expect, seen);
  return compareDocumented(id, {
    expected: one.expect,
    ours: [true],
    seen,
    reason: "S4: without configured authors only our own markers are trusted, never a stranger's",
  });
}

function decide(one: EligibilityCase): ReturnType<typeof decideEligibility> {
  const person = people(one);
  const comments = one.comments.map(({ body, createdAt, author }, index) =>
    commentWith({
      id: index + 1,
      body,
      createdAt,
      author: author === undefined ? (body.startsWith("<!--") ? OURSELVES : reporter) : person(author),
    }),
  );
  const trust = { viewerId: OURSELVES.id, trustedAuthors: one.trusted ?? [], keys: [] };
  return decideEligibility({
    issue: issueWith({
      labels: one.labels,
      author: person(one.issue_author),
      commentCount: comments.length,
      reactionCount: 0,
      milestone: null,
    }),
    comments,
    labelEvents: [],
    notes: findTriageNotes({ comments, ref, trust }).notes,
    areNotesTrusted: true,
    viewerId: OURSELVES.id,
    settings,
    nowMs,
  });
}

/**
 * Returns the person for a login. In cases about trust, our own login is a different person, so that only the list of trusted
 * authors can make a marker count.
 */
function people({ trusted }: EligibilityCase): (login: string) => Person {
  const ids = new Map([[reporter.login, reporter.id]]);
  return (login) => {
    if (login === OURSELVES.login && trusted === undefined) return OURSELVES;
    const id = ids.get(login) ?? 100 + ids.size;
    ids.set(login, id);
    return { id, login, isBot: login.endsWith("[bot]") };
  };
}
