import { OperationalError } from "agent-tty/kit";

/** Why a release step did not begin or could not go on. Each is said with what to do. */
export type ReleaseErrorCode =
  | "RELEASE_GIT_FAILED"
  | "RELEASE_REMOTE_UNUSABLE"
  | "RELEASE_SHALLOW_CLONE"
  | "RELEASE_HEAD_DETACHED"
  | "RELEASE_NOT_ON_DEFAULT_BRANCH"
  | "RELEASE_TREE_DIRTY"
  | "RELEASE_OUT_OF_STEP"
  | "RELEASE_NOTHING_NEW"
  /** A version was prepared and merged, and waits for its tag. */
  | "RELEASE_UNFINISHED"
  | "RELEASE_VERSION_REFUSED"
  | "RELEASE_PACKAGE_UNUSABLE"
  | "RELEASE_SECTION_TAKEN"
  | "RELEASE_TAG_TAKEN"
  | "RELEASE_BRANCH_TAKEN"
  /** Another release step of the same repository is at work. */
  | "RELEASE_BUSY"
  | "RELEASE_NOT_LANDED"
  | "RELEASE_PUSH_REFUSED"
  | "RELEASE_RANGE_UNKNOWN";

/** An outcome of planning: what was seen, and what to do next. */
export interface Refusal {
  type: "refused";
  code: ReleaseErrorCode;
  message: string;
  remedy: string;
}

/** A refusal as a value: a release step that decides not to go on. */
export function refused(code: ReleaseErrorCode, message: string, remedy: string): Refusal {
  return { type: "refused", code, message, remedy };
}

/** A refusal as an error to throw. */
export function releaseError({ code, message, remedy }: Refusal): OperationalError<ReleaseErrorCode> {
  return new OperationalError({ code, message, remedy });
}
