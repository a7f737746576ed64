import { OperationalError } from "agent-tty/kit";
import {
  type GithubErrorCode,
  type IssueRef,
  issueKey,
  type RepositoryName,
} from "../../../src/github/index.ts";

/** Returns the error that the real adapter throws for a missing repository. */
export function missing(repo: RepositoryName): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_REPOSITORY_MISSING",
    message: `read ${repo}: it does not exist or cannot be read`,
    remedy: "Check the name and what the token may read.",
  });
}

export function gone(ref: IssueRef): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_ISSUE_GONE",
    message: `${issueKey(ref)} is not there (any more)`,
    remedy: "Look the issue up first.",
  });
}

export function refused(ref: IssueRef, seen: string): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_WRITE_REFUSED",
    message: `write to ${issueKey(ref)}: ${seen}`,
    remedy: "Shorten the text.",
  });
}
