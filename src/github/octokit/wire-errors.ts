import { RequestError } from "@octokit/request-error";
import { messageOf, OperationalError } from "agent-tty/kit";
import type { GithubErrorCode, IssueRef } from "../port.ts";
import { issueKey } from "../port.ts";
import { GraphqlFailure } from "./graphql-failure.ts";
import { AppNotInstalled } from "./sign-in.ts";

export interface WireFailure {
  attempted: string;
  apiUrl: string;
  withoutToken: (text: string) => string;
  cause: unknown;
}

/** Returns the HTTP status with which GitHub answered a failed request; null when it did not answer, or for any other error. */
export function statusOf(error: unknown): number | null {
  return error instanceof OperationalError && typeof error.details["status"] === "number"
    ? error.details["status"]
    : null;
}

/**
 * Returns the error with a GithubErrorCode for a failed request. `details.status` is GitHub's status if it answered, and
 * `details.githubSays` the message of its refusal.
 */
export function githubError(failure: WireFailure): OperationalError<GithubErrorCode> {
  const { cause } = failure;
  if (cause instanceof AppNotInstalled) {
    const remedy =
      "Install the App on the repository's account and let it see the repository, or set GITHUB_TOKEN.";
    return fail("GITHUB_APP_NOT_INSTALLED", failure, cause.message, remedy);
  }
  if (cause instanceof GraphqlFailure && !cause.isPassing) {
    const remedy = "Read GitHub's message about the query, and check what the token may do.";
    return fail("GITHUB_UNEXPECTED_ANSWER", failure, `GitHub answered: ${firstLine(cause, failure)}`, remedy);
  }
  if (!(cause instanceof RequestError) || cause.response === undefined) return unreachable(failure);
  if (cause.status >= 500) return unreachable(failure);
  if (cause.status === 404 && isOfEveryGithub(cause.request.url)) return notTheApi(failure);
  const known: Record<number, [GithubErrorCode, string]> = {
    401: [
      "GITHUB_TOKEN_REJECTED",
      "Set GITHUB_TOKEN to a token that is valid for this GitHub: it may have expired or been revoked. As a GitHub App, check AFK_TRIAGE_APP_ID and its private key.",
    ],
    403: [
      "GITHUB_FORBIDDEN",
      "Give the token read and write access to issues (and read access to contents) of this repository, and check that single sign-on is authorised for it.",
    ],
    404: [
      "GITHUB_REPOSITORY_MISSING",
      "Check the spelling of owner/name, and that the token may read the repository: GitHub answers 404 for a private one it may not.",
    ],
    410: ["GITHUB_REPOSITORY_CLOSED", "Turn the issues of the repository on, or leave it out."],
    422:
      cause.request.method === "GET"
        ? ["GITHUB_UNEXPECTED_ANSWER", "Read GitHub's message about the request, which changed nothing."]
        : [
            "GITHUB_WRITE_REFUSED",
            "Read GitHub's message about the request, and shorten or correct the text.",
          ],
    451: ["GITHUB_REPOSITORY_MISSING", "GitHub has blocked the repository for legal reasons: leave it out."],
  };
  const [code, remedy] = known[cause.status] ?? [
    "GITHUB_UNEXPECTED_ANSWER",
    `Check that GITHUB_API_URL (${failure.apiUrl}) is a GitHub REST API.`,
  ];
  const githubSays = firstLine(cause, failure);
  return fail(code, failure, `GitHub answered ${cause.status}: ${githubSays}`, remedy, {
    status: cause.status,
    githubSays,
  });
}

/**
 * Returns the error for a rate limit whose wait is not made (GITHUB_RATE_LIMITED). `waitMs`: the wait that GitHub asks for, in
 * milliseconds; it is also in `details`.
 */
export function rateLimited(failure: WireFailure, waitMs: number): OperationalError<GithubErrorCode> {
  const minutes = Math.ceil(waitMs / 60_000);
  return fail(
    "GITHUB_RATE_LIMITED",
    failure,
    `GitHub's rate limit asks for a wait of ${minutes} min`,
    `Run again in ${minutes} min, or use a GitHub App token, which has a higher limit.`,
    { waitMs },
  );
}

/**
 * Returns the error for an answer that does not have the documented form (GITHUB_UNEXPECTED_ANSWER). `seen`: a description of the
 * answer.
 */
export function unexpected(failure: WireFailure, seen: string): OperationalError<GithubErrorCode> {
  const remedy = `Check that GITHUB_API_URL (${failure.apiUrl}) is a GitHub REST API, not a web page or a proxy's login.`;
  return fail("GITHUB_UNEXPECTED_ANSWER", failure, seen, remedy);
}

/** Returns the error for a listing that exceeds the page limit (GITHUB_UNEXPECTED_ANSWER with `details.pages`). */
export function endlessListing(attempted: string, pages: number): OperationalError<GithubErrorCode> {
  return new OperationalError({
    code: "GITHUB_UNEXPECTED_ANSWER",
    message: `could not ${attempted}: the listing did not end after ${pages} pages`,
    remedy: "Narrow the selection, e.g. with --issue.",
    details: { pages },
  });
}

/** Returns whether an error comes from `endlessListing`. */
export function isEndless(error: unknown): boolean {
  return error instanceof OperationalError && typeof error.details["pages"] === "number";
}

/**
 * Returns the error for a redirect (GITHUB_REPOSITORY_MISSING). It has no cause, because a redirect is an answer and not a failed
 * request.
 */
export function repositoryMoved(attempted: string, location: string): OperationalError<GithubErrorCode> {
  return new OperationalError({
    code: "GITHUB_REPOSITORY_MISSING",
    message: `could not ${attempted}: GitHub says it moved${location === "" ? "" : ` to ${location}`}`,
    remedy: "Use the repository's present owner/name: redirects are never followed.",
  });
}

/** Returns the error for an issue that is deleted, transferred or not found, as `reason` says (GITHUB_ISSUE_GONE). */
export function issueGone(
  ref: IssueRef,
  attempted: string,
  reason: string,
): OperationalError<GithubErrorCode> {
  return new OperationalError({
    code: "GITHUB_ISSUE_GONE",
    message: `could not ${attempted}: ${issueKey(ref)} is ${reason}`,
    remedy: "The issue is skipped; look at it on GitHub.",
    details: { reason },
  });
}

/**
 * Returns whether GitHub refused a comment because the conversation is locked. Only the message of its 403 says so; there is no
 * code for it.
 */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof OperationalError) || statusOf(error) !== 403) return false;
  const { githubSays } = error.details;
  return typeof githubSays === "string" && /\blocked\b/i.test(githubSays);
}

/** Returns the error for a comment on a locked conversation (GITHUB_ISSUE_LOCKED). */
export function issueLocked(ref: IssueRef, attempted: string): OperationalError<GithubErrorCode> {
  return new OperationalError({
    code: "GITHUB_ISSUE_LOCKED",
    message: `could not ${attempted}: the conversation of ${issueKey(ref)} is locked`,
    remedy: "Nothing was written. Unlock the conversation, or label the issue by hand.",
  });
}

/** Returns whether every GitHub has this path. It names no repository, so a 404 does not mean that one is missing. */
function isOfEveryGithub(url: string): boolean {
  return new URL(url).pathname.endsWith("/user");
}

function notTheApi(failure: WireFailure): OperationalError<GithubErrorCode> {
  const remedy = `Set GITHUB_API_URL (now ${failure.apiUrl}) to the REST API: https://api.github.com, or https://HOST/api/v3 of an Enterprise Server.`;
  const seen = `${failure.apiUrl} cannot be used: it answered 404`;
  return fail("GITHUB_UNREACHABLE", failure, seen, remedy, { status: 404 });
}

function unreachable(failure: WireFailure): OperationalError<GithubErrorCode> {
  const status =
    failure.cause instanceof RequestError && failure.cause.response ? failure.cause.status : undefined;
  const seen = status === undefined ? firstLine(failure.cause, failure) : `it answered ${status}`;
  const remedy = `Check the network and that GITHUB_API_URL (${failure.apiUrl}) is right; then run again.`;
  const details = status === undefined ? {} : { status };
  return fail("GITHUB_UNREACHABLE", failure, `${failure.apiUrl} cannot be used: ${seen}`, remedy, details);
}

function fail(
  code: GithubErrorCode,
  failure: WireFailure,
  seen: string,
  remedy: string,
  details: { status?: number; githubSays?: string; waitMs?: number } = {},
): OperationalError<GithubErrorCode> {
  return new OperationalError({
    code,
    message: failure.withoutToken(`could not ${failure.attempted}: ${seen}`),
    remedy,
    details,
    // The request error itself is not included, because it contains the whole request.
    cause: new Error(firstLine(failure.cause, failure)),
  });
}

/**
 * Returns the first line of the message. The token is removed before the line is cut, because a token with a line break would no
 * longer be recognised in its first line.
 */
function firstLine(cause: unknown, { withoutToken }: WireFailure): string {
  return (withoutToken(messageOf(cause)).split("\n")[0] ?? "").slice(0, 300);
}
