import { OperationalError } from "agent-tty/kit";

/** The reasons why a release step did not begin or could not continue. Each is reported with a remedy. */
export type ReleaseErrorCode =
  | "RELEASE_GIT_FAILED"
  | "RELEASE_NOT_IN_A_CHECKOUT"
  | "RELEASE_REMOTE_UNUSABLE"
  | "RELEASE_SHALLOW_CLONE"
  | "RELEASE_HEAD_DETACHED"
  | "RELEASE_NOT_ON_DEFAULT_BRANCH"
  | "RELEASE_TREE_DIRTY"
  | "RELEASE_OUT_OF_STEP"
  | "RELEASE_NOTHING_NEW"
  /** A version was prepared and merged, but its tag is missing. */
  | "RELEASE_UNFINISHED"
  | "RELEASE_VERSION_REFUSED"
  | "RELEASE_PACKAGE_UNUSABLE"
  | "RELEASE_SECTION_TAKEN"
  | "RELEASE_TAG_TAKEN"
  | "RELEASE_BRANCH_TAKEN"
  /** Another release step of the same repository is running. */
  | "RELEASE_BUSY"
  | "RELEASE_NOT_LANDED"
  | "RELEASE_PUSH_REFUSED"
  | "RELEASE_RANGE_UNKNOWN";

/** A refusal by a planner: what was seen, and what to do next. */
export interface Refusal {
  type: "refused";
  code: ReleaseErrorCode;
  message: string;
  remedy: string;
}

/** Returns a refusal as a value: the release step does not continue. */
export function refused(code: ReleaseErrorCode, message: string, remedy: string): Refusal {
  return { type: "refused", code, message, remedy };
}

/** Returns a refusal as an error to throw. */
export function releaseError({ code, message, remedy }: Refusal): OperationalError<ReleaseErrorCode> {
  return new OperationalError({ code, message, remedy });
}
