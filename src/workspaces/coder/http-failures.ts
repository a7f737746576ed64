import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { type CoderAnswer, explain } from "./coder-answer.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/** Returns the error for a session token that the deployment does not accept (CODER_LOGGED_OUT). */
export function loggedOut(
  attempted: string,
  answer: CoderAnswer,
  url: string,
): OperationalError<WorkspaceErrorCode> {
  return workspaceError({
    code: "CODER_LOGGED_OUT",
    message: `Tried to ${attempted}; the Coder deployment at ${url} answered ${explain(answer)}`,
    remedy: "Run `coder login` or renew CODER_SESSION_TOKEN (`coder tokens create`), then try again.",
  });
}

/** Returns the error for a redirect, which is not followed with a token (CODER_UNEXPECTED_ANSWER). */
export function redirected(attempted: string, response: Response): OperationalError<WorkspaceErrorCode> {
  const location = printable(response.headers.get("location") ?? "nowhere", 200);
  return workspaceError({
    code: "CODER_UNEXPECTED_ANSWER",
    message: `Tried to ${attempted}; it was redirected (HTTP ${response.status}) to ${location}, which is not followed with a token`,
    remedy:
      "Set CODER_URL to the final address of the Coder deployment, without a login page in front of it.",
  });
}

/**
 * Returns the error for retries that got no answer in time: CODER_RATE_LIMITED or CODER_UNREACHABLE, depending on what was seen
 * last.
 */
export function exhausted(
  attempted: string,
  last: { seen: string; isRateLimit: boolean },
  url: string,
): OperationalError<WorkspaceErrorCode> {
  if (last.isRateLimit)
    return workspaceError({
      code: "CODER_RATE_LIMITED",
      message: `Tried to ${attempted}, several times; the last answer was ${last.seen}`,
      remedy: "Lower the parallelism, or raise the rate limit of the Coder deployment.",
    });
  return workspaceError({
    code: "CODER_UNREACHABLE",
    message: `Tried to ${attempted} at ${url}, several times; last seen: ${last.seen}`,
    remedy: "Check CODER_URL, the network and the health of the Coder deployment.",
  });
}
