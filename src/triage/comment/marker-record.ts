import { type AlreadyFixed, evidenceMarker, type EvidenceSummary } from "../../evidence/index.ts";
import type { Issue } from "../../github/index.ts";
import type { CommentContent, Decision, Evidence, PublicationTarget, Tried } from "../policy/index.ts";
import { markerExtra, proposalExtra } from "../publication/index.ts";
import { questionsRecord } from "../resumption/index.ts";

/**
 * Returns all further fields of a decision's marker. They are signed with the rest; a marker without some of them is still valid.
 */
export function markerRecord(
  decision: Decision,
  issue: Issue,
  proposed: PublicationTarget | null,
): Record<string, string> {
  const { comment } = decision;
  return {
    ...markerExtra(proposed === null ? decision : { ...decision, labels: "leave", close: null }, issue),
    ...(proposed === null ? {} : proposalExtra(proposed)),
    ...verificationRecord(comment),
    ...(comment.template === "needs-info" ? questionsRecord(comment.questions) : {}),
  };
}

function triedRecord(tried: Tried | null): Record<string, string> {
  if (tried === null || tried.type === "reported") return {};
  if (tried.type === "seen") return evidenceRecord(tried);
  const matched = tried.runs.filter((run) => run.matched).length;
  return { reproduced: `${matched}/${tried.runs.length}`, ...gradeRecord(tried.grade) };
}

function evidenceRecord({ matchedRuns, runs, insight: { commit, grade } }: Evidence): Record<string, string> {
  return {
    reproduced: `${matchedRuns}/${runs.length}`,
    ...(commit === null ? {} : { commit }),
    ...gradeRecord(grade),
  };
}

function gradeRecord(grade: EvidenceSummary | null): Record<string, string> {
  return grade === null ? {} : { evidence: evidenceMarker(grade) };
}

/**
 * Returns the marker's fields about the runs on the reported version (V5) and their grade (V7). `commit` is the commit of that
 * version.
 */
function fixedRecord({ runs, commit, grade }: AlreadyFixed): Record<string, string> {
  return { reproduced: `${runs}/${runs}`, commit, ...gradeRecord(grade) };
}

/** Returns the marker's fields about the parent's own runs (T8): their result, `k/n`, and the commit on which they ran. */
function verificationRecord(comment: CommentContent): Record<string, string> {
  switch (comment.template) {
    case "ready-for-agent":
      return comment.evidence === null ? {} : evidenceRecord(comment.evidence);
    case "needs-info":
    case "needs-triage":
      return triedRecord(comment.tried);
    case "ready-for-human":
      return comment.why.type === "already-fixed" ? fixedRecord(comment.why.fixed) : {};
    case "wontfix":
    case "duplicate":
    case "conflicting-labels":
      return {};
  }
}
