import {
  isTrustedAuthor,
  type Issue,
  type IssueComment,
  type MarkerTrust,
  parseMarker,
  type TimelineFact,
} from "../../github/index.ts";

/** The accounts under which the program has worked: the current one, and the trusted authors of markers. */
export type OwnAccounts = Pick<MarkerTrust, "viewerId" | "trustedAuthors">;

export interface Acts {
  issue: Issue;
  comments: readonly IssueComment[];
  timeline: readonly TimelineFact[];
}

/**
 * Returns an issue's facts without the program's own acts: its triage notes, labels and closes (E1, E7). Pure. The program may
 * work under a person's account. The acts of that account count as the program's on issues that have the account's triage notes,
 * and as the person's on other issues. A commit or a merge is never the program's.
 */
export function withoutOwnActs<Facts extends Acts>(facts: Facts, own: OwnAccounts): Facts {
  const { issue, comments, timeline } = facts;
  const isOwnNotes = ({ author, body }: IssueComment): boolean =>
    isTrustedAuthor(author, own) && parseMarker(body) !== null;
  const noted = new Set(comments.filter(isOwnNotes).map(({ author }) => author?.id));
  const isOwnAct = (fact: TimelineFact): boolean =>
    isTrustedAuthor(fact.actor, own) &&
    (fact.actor?.isBot === true || noted.has(fact.actor?.id)) &&
    fact.type !== "merged-fix" &&
    !(fact.type === "closed" && fact.commit !== null);
  const isOwnLabel = (label: string): boolean => {
    const set = timeline.findLast(
      (fact) => fact.type === "labeled" && fact.label.toLowerCase() === label.toLowerCase(),
    );
    return set !== undefined && isOwnAct(set);
  };
  const close = timeline.findLast(({ type }) => type === "closed");
  return {
    ...facts,
    issue: {
      ...issue,
      labels: issue.labels.filter((label) => !isOwnLabel(label)),
      stateReason: close !== undefined && isOwnAct(close) ? null : issue.stateReason,
    },
    comments: comments.filter((comment) => !isOwnNotes(comment)),
    timeline: timeline.filter((fact) => !isOwnAct(fact)),
  };
}
