import type {
  GithubReader,
  GithubWriter,
  Issue,
  IssueComment,
  IssueRef,
  LabelEvent,
  Person,
  Repository,
} from "../../github/index.ts";
import type { PastIssue } from "./issue-as-of.ts";

/** The ids of comments that are never written to GitHub start here, above all ids that GitHub has assigned. */
const FIRST_COMMENT_ID = 2 ** 50;

/**
 * Returns an in-memory GitHub with the past issues, for both GitHub ports of a batch. Writes of the batch are stored in memory and
 * can be read back; they never reach GitHub. It contains no current data.
 */
export function createPastGithub(
  repository: Repository,
  issues: readonly PastIssue[],
  now: () => string,
): { reader: GithubReader; writer: GithubWriter } {
  // Lower than every account id, so that no account of the past is treated as ours.
  const viewer: Person = { id: 0, login: "afk-triage-backtest", isBot: false };
  const known = new Map(
    issues.map((past) => [past.issue.ref.number, { ...structuredClone(past), events: [] as LabelEvent[] }]),
  );
  let nextCommentId = FIRST_COMMENT_ID;
  const find = ({ number }: IssueRef) => {
    const found = known.get(number);
    if (found === undefined) throw new Error(`the sample has no issue ${number}`);
    return found;
  };
  const open = (label: string | null): Issue[] =>
    [...known.values()]
      .map(({ issue }) => issue)
      .filter(({ state, labels }) => state === "open" && (label === null || labels.includes(label)));
  const setLabel = (ref: IssueRef, label: string, isOn: boolean): void => {
    const { issue, events } = find(ref);
    const others = issue.labels.filter((one) => one.toLowerCase() !== label.toLowerCase());
    issue.labels = isOn ? [...others, label] : others;
    events.push({ label, action: isOn ? "labeled" : "unlabeled", actor: viewer, createdAt: now() });
  };
  const isOurs = (ref: IssueRef): boolean => ref.repo === repository.name && known.has(ref.number);
  const copy = async <Value>(value: Value): Promise<Value> => structuredClone(value);

  return {
    reader: {
      viewer: () => copy(viewer),
      repository: () => copy(repository),
      listOpenIssues: (_, label) => copy(open(label)),
      updatedIssues: () => copy([]),
      issue: (ref) =>
        copy(isOurs(ref) ? { type: "found", issue: find(ref).issue } : { type: "gone", reason: "not-found" }),
      comments: (ref) => copy(find(ref).comments),
      reactions: () => copy([]),
      labelEvents: (ref) => copy(find(ref).events),
      timeline: () => copy([]),
      linkedPullRequests: () => copy({ type: "found", pullRequests: [], unread: [] }),
      permission: () => copy("unknown"),
      labels: () => copy([]),
    },
    writer: {
      publishComment: (ref, body) => {
        const { issue, comments } = find(ref);
        const at = now();
        const id = (nextCommentId += 1);
        const comment: IssueComment = { id, body, author: viewer, createdAt: at, updatedAt: at, url: "" };
        comments.push(comment);
        issue.commentCount += 1;
        return copy(comment);
      },
      addLabels: async (ref, labels) => {
        for (const label of labels) setLabel(ref, label, true);
      },
      removeLabel: async (ref, label) => setLabel(ref, label, false),
      closeIssue: (ref, reason) => {
        const { issue } = find(ref);
        Object.assign(issue, { state: "closed", stateReason: reason });
        return copy(issue);
      },
      reopenIssue: async (ref) =>
        void Object.assign(find(ref).issue, { state: "open", stateReason: "reopened" }),
      deleteComment: async (ref, id) => {
        const found = find(ref);
        found.comments = found.comments.filter((comment) => comment.id !== id);
      },
    },
  };
}
