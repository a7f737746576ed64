import type { Issue, IssueRef, LinkedPullRequest, LinkedPullRequests } from "../../../src/github/index.ts";
import type { PullRequestVerbs } from "./github-world.ts";

interface StoredPullRequest {
  isDraft: boolean;
  hasConflict: boolean;
  mergedAt: string | null;
  closedAt: string | null;
  commits: number;
  checks: Map<string, "pending" | "passing" | "failing">;
  /** The last decisive verdict of each reviewer. */
  decisions: Map<string, { id: number; verdict: "approve" | "request-changes" }>;
  /** Feedback of each reviewer on the current commit that no approval followed. */
  comments: Map<string, number>;
}

/** The part of a pull request that an issue does not have; the fake keeps the rest with the issues. */
export interface FakePullRequests {
  verbs: Omit<PullRequestVerbs, "openPullRequest">;
  opened(number: number, isDraft: boolean): void;
  linkedTo(ref: IssueRef): LinkedPullRequests;
}

export function createFakePullRequests(world: {
  now: () => string;
  issues: () => readonly Issue[];
  close: (ref: IssueRef) => void;
}): FakePullRequests {
  const stored = new Map<number, StoredPullRequest>();
  let nextId = 0;
  const of = ({ number }: IssueRef): StoredPullRequest => {
    const found = stored.get(number);
    if (found === undefined) throw new Error(`no pull request ${number}`);
    return found;
  };
  return {
    opened: (number, isDraft) =>
      void stored.set(number, {
        isDraft,
        hasConflict: false,
        mergedAt: null,
        closedAt: null,
        commits: 1,
        checks: new Map(),
        decisions: new Map(),
        comments: new Map(),
      }),
    linkedTo: (ref) => {
      const closing = new RegExp(`(?:closes|fixes|resolves) #${ref.number}\\b`, "i");
      const pullRequests = world
        .issues()
        .filter(({ isPullRequest, body }) => isPullRequest && closing.test(body))
        .map((issue) => factsOf(issue, of(issue.ref)));
      return { type: "found", pullRequests, unread: [] };
    },
    verbs: {
      review: async (ref, by, verdict) => {
        const { decisions, comments } = of(ref);
        const id = (nextId += 1);
        if (verdict !== "comment") decisions.set(by, { id, verdict });
        if (verdict === "approve") comments.delete(by);
        else comments.set(by, id);
      },
      check: async (ref, name, result) => void of(ref).checks.set(name, result),
      setStatus: async (ref, result) => void of(ref).checks.set("a commit status", result),
      setConflict: async (ref, hasConflict) => void (of(ref).hasConflict = hasConflict),
      merge: async (ref) => {
        of(ref).mergedAt = world.now();
        world.close(ref);
      },
      closePullRequest: async (ref) => {
        of(ref).closedAt = world.now();
        world.close(ref);
      },
    },
  };
}

function factsOf({ ref, url, updatedAt }: Issue, pull: StoredPullRequest): LinkedPullRequest {
  const endedAt = pull.mergedAt ?? pull.closedAt;
  const isOpen = endedAt === null;
  const results = isOpen ? [...pull.checks.values()] : [];
  const headSha = `commit-${pull.commits}-of-${ref.number}`;
  const isFailing = results.includes("failing");
  const objections = [...pull.decisions.values()].filter(({ verdict }) => verdict === "request-changes");
  const feedback = isOpen ? [...objections.map(({ id }) => id), ...pull.comments.values()] : [];
  const decision = objections.length > 0 ? "changes_requested" : "approved";
  return {
    number: ref.number,
    url,
    state: pull.mergedAt === null ? (isOpen ? "open" : "closed") : "merged",
    endedAt,
    updatedAt,
    isDraft: isOpen && pull.isDraft,
    headSha: isOpen ? headSha : null,
    mergeability: isOpen ? (pull.hasConflict ? "conflicting" : "mergeable") : "unknown",
    checks:
      results.length === 0
        ? "none"
        : isFailing
          ? "failing"
          : results.includes("pending")
            ? "pending"
            : "passing",
    review: isOpen && pull.decisions.size > 0 ? decision : "none",
    hasUnresolvedHumanComments: isOpen && pull.comments.size > 0,
    checksSignature: isFailing ? headSha : null,
    feedbackSignature: feedback.length > 0 ? `review-${Math.max(...feedback)}` : null,
  };
}
