import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { type CoderAnswer, explain } from "./coder-answer.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/** The deployment does not accept the session token (CODER_LOGGED_OUT). */
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

/** The deployment redirects the request, which is not followed with a token (CODER_UNEXPECTED_ANSWER). */
export function redirected(attempted: string, response: Response): OperationalError<WorkspaceErrorCode> {
  const location = printable(response.headers.get("location") ?? "nowhere", 200);
  return workspaceError({
    code: "CODER_UNEXPECTED_ANSWER",
    message: `Tried to ${attempted}; it was redirected (HTTP ${response.status}) to ${location}, which is not followed with a token`,
    remedy:
      "Set CODER_URL to the final address of the Coder deployment, without a login page in front of it.",
  });
}

/** No retry got an answer in time: CODER_RATE_LIMITED or CODER_UNREACHABLE, by what was seen last. */
export function exhausted(
  attempted: string,
  last: { seen: string; isRateLimit: boolean },
  url: string,
): OperationalError<WorkspaceErrorCode> {
  if (last.isRateLimit)
    return workspaceError({
      code: "CODER_RATE_LIMITED",
      message: `Tried to ${attempted}, again and again; the last answer was ${last.seen}`,
      remedy: "Lower the parallelism, or raise the rate limit of the Coder deployment.",
    });
  return workspaceError({
    code: "CODER_UNREACHABLE",
    message: `Tried to ${attempted} at ${url}, again and again; last seen: ${last.seen}`,
    remedy: "Check CODER_URL, the network and the health of the Coder deployment.",
  });
}
