import { OperationalError } from "agent-tty/kit";

/** Whether the same step may well succeed in a fresh Coder workspace; the provider says so of its own failures. */
export function deservesFreshWorkspace(failure: unknown): boolean {
  return failure instanceof OperationalError && failure.details["retry"] === "fresh-workspace";
}

/** Failures that every further Triage Run of the batch would meet: none is started any more. */
const HALTING: Readonly<Record<string, string>> = {
  WORKSPACE_QUOTA: "workspace-quota",
  CODER_LOGGED_OUT: "coder-logged-out",
  CODER_EXTERNAL_AUTH_MISSING: "coder-external-auth-missing",
  CODER_FORBIDDEN: "coder-forbidden",
  CODER_PRESET_MISSING: "coder-preset-missing",
  CODER_PARAMETER_REJECTED: "coder-parameter-rejected",
};

/** Why no further Triage Run is admitted after this failure; null when the next one may fare better. */
export function haltReason(error: { code: string } | null): string | null {
  return error === null ? null : (HALTING[error.code] ?? null);
}

/** A used-up quota says nothing about the issue: it is triaged by a later batch. */
export function isNotTheIssuesFault(failure: unknown): boolean {
  return failure instanceof OperationalError && failure.code === "WORKSPACE_QUOTA";
}
