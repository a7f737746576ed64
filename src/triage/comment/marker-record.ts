import { evidenceMarker } from "../../evidence/index.ts";
import type { Issue } from "../../github/index.ts";
import type { CommentContent, Decision } from "../policy/index.ts";
import { markerExtra } from "../publication/index.ts";
import { questionsRecord } from "../resumption/index.ts";

/** All further fields of a decision's marker, signed with the rest; a marker that lacks some of them stays valid. */
export function markerRecord(decision: Decision, issue: Issue): Record<string, string> {
  const { comment } = decision;
  return {
    ...markerExtra(decision, issue),
    ...verificationRecord(comment),
    ...(comment.template === "needs-info" ? questionsRecord(comment.questions) : {}),
  };
}

/** T8: what the parent's own runs showed, `k/n`, and of which commit. */
function verificationRecord(comment: CommentContent): Record<string, string> {
  switch (comment.template) {
    case "ready-for-agent": {
      if (comment.evidence === null) return {};
      const { matchedRuns, runs, insight } = comment.evidence;
      const { commit, grade } = insight;
      return {
        reproduced: `${matchedRuns}/${runs.length}`,
        ...(commit === null ? {} : { commit }),
        ...(grade === null ? {} : { evidence: evidenceMarker(grade) }),
      };
    }
    case "needs-info":
    case "needs-triage":
      return comment.tried?.type === "verified" ? { reproduced: `0/${comment.tried.runs.length}` } : {};
    case "ready-for-human":
    case "wontfix":
    case "duplicate":
    case "conflicting-labels":
      return {};
  }
}
