import type { EngineErrorCode } from "agent-tty";
import type { BacktestErrorCode } from "../backtest/index.ts";
import type { BoardErrorCode } from "../board/index.ts";
import type { ConfigErrorCode } from "../config/index.ts";
import type { DemoErrorCode } from "../demo/index.ts";
import type { FleetErrorCode } from "../fleet/index.ts";
import type { GithubErrorCode } from "../github/index.ts";
import type { HomeErrorCode } from "../home/index.ts";
import type { RetentionErrorCode } from "../retention/index.ts";
import type { ControlErrorCode } from "../runs/index.ts";
import type { ReleaseErrorCode } from "../release/index.ts";
import type { StoreErrorCode } from "../store/index.ts";
import type { TriageErrorCode } from "../triage/index.ts";
import type { RegistryErrorCode, SendErrorCode } from "../tui/index.ts";
import type { WorkspaceErrorCode } from "../workspaces/index.ts";

export type CliErrorCode =
  | ConfigErrorCode
  | HomeErrorCode
  | RetentionErrorCode
  | "OUTPUT_LOST"
  /** The code of a check of `doctor`. */
  | "NO_ANSWER"
  | "INTERNAL_ERROR"
  | "CODER_TOKEN_MISSING"
  | "MODEL_TOKEN_REFUSED"
  | "APP_KEY_INVALID"
  | "RUN_NOT_FOUND"
  | "BATCH_STILL_RUNNING"
  | "RUN_NOT_ACTIVE"
  | "RUN_NOT_RESTORABLE"
  | "RUN_STILL_STOPPING"
  | "SEND_REFUSED"
  | "STATE_NOT_REACHED"
  | "REPORT_DIRECTORY_TAKEN"
  | "NO_REPRODUCTION"
  | "ISSUE_NOT_INDEXED"
  | "CLAUDE_CODE_MISSING"
  | "INIT_FILE_DIFFERS"
  | "INIT_UNCONFIRMED";

type ErrorCode =
  | BacktestErrorCode
  | BoardErrorCode
  | CliErrorCode
  | ControlErrorCode
  | DemoErrorCode
  | EngineErrorCode
  | FleetErrorCode
  | GithubErrorCode
  | RegistryErrorCode
  | ReleaseErrorCode
  | SendErrorCode
  | StoreErrorCode
  | TriageErrorCode
  | WorkspaceErrorCode;

export const exitCodes = {
  done: 0,
  batchFailed: 1,
  usage: 2,
  issueFailed: 3,
  preflight: 4,
  interrupted: 130,
  terminated: 143,
} as const;

const { batchFailed, usage, issueFailed, preflight } = exitCodes;

/**
 * The exit code of every failure that ends a whole command. The table is total: a new code without a line here does not compile.
 */
const exitCodeByError: Record<ErrorCode, number> = {
  USAGE: usage,
  CONFIG_INVALID: usage,
  REPOSITORY_NOT_NAMED: usage,
  OUTPUT_LOST: batchFailed,
  NO_ANSWER: batchFailed,
  INTERNAL_ERROR: batchFailed,
  CODER_TOKEN_MISSING: preflight,
  MODEL_TOKEN_REFUSED: preflight,
  APP_KEY_INVALID: preflight,
  HOME_UNWRITABLE: preflight,
  HOME_UNSAFE: preflight,
  BACKTEST_REPOSITORY_UNREADABLE: preflight,
  BACKTEST_PAST_UNREADABLE: batchFailed,
  BACKTEST_EMPTY: batchFailed,
  BACKTEST_DIFFERS: usage,
  RUN_NOT_FOUND: batchFailed,
  ISSUE_NOT_INDEXED: batchFailed,
  BATCH_STILL_RUNNING: batchFailed,
  RUN_NOT_ACTIVE: batchFailed,
  RUN_NOT_RESTORABLE: batchFailed,
  RUN_STILL_STOPPING: batchFailed,
  SEND_REFUSED: batchFailed,
  PARENT_GONE: batchFailed,
  PRUNE_RUNNING: batchFailed,
  STATE_NOT_REACHED: batchFailed,
  TUI_NOT_READY: batchFailed,
  TUI_SUBMIT_LOST: batchFailed,
  TUI_PROFILE_UNKNOWN: usage,
  CONTROL_VIOLATION: batchFailed,
  CONTROL_LOST: batchFailed,
  CONTROL_UNAVAILABLE: batchFailed,
  BOARD_ADDRESS_REFUSED: usage,
  BOARD_PORT_TAKEN: preflight,
  BOARD_TOKEN_UNSAFE: preflight,
  BOARD_TOKEN_UNWRITABLE: preflight,
  REPORT_DIRECTORY_TAKEN: usage,
  NO_REPRODUCTION: batchFailed,
  CLAUDE_CODE_MISSING: preflight,
  INIT_FILE_DIFFERS: batchFailed,
  INIT_UNCONFIRMED: usage,
  FLEET_DATABASE_UNAVAILABLE: preflight,
  FLEET_HOME_TAKEN: preflight,
  FLEET_WORKER_REPLACED: batchFailed,
  FLEET_VISIT_LOST: issueFailed,
  FLEET_PORT_REFUSED: preflight,
  FLEET_EMPTY: preflight,
  FLEET_SECRET_MISSING: preflight,
  FLEET_BOARD_TOKENS_WRONG: preflight,
  GITHUB_TOKEN_MISSING: preflight,
  GITHUB_TOKEN_REJECTED: preflight,
  GITHUB_APP_NOT_INSTALLED: preflight,
  GITHUB_FORBIDDEN: preflight,
  GITHUB_REPOSITORY_MISSING: preflight,
  GITHUB_REPOSITORY_CLOSED: preflight,
  GITHUB_UNREACHABLE: preflight,
  GITHUB_RATE_LIMITED: batchFailed,
  GITHUB_ISSUE_GONE: issueFailed,
  GITHUB_ISSUE_LOCKED: issueFailed,
  GITHUB_UNEXPECTED_ANSWER: batchFailed,
  GITHUB_WRITE_REFUSED: batchFailed,
  CODER_CLI_MISSING: preflight,
  CODER_CLI_TOO_OLD: preflight,
  CODER_SERVER_TOO_OLD: preflight,
  CODER_NOT_CONFIGURED: preflight,
  CODER_UNREACHABLE: preflight,
  CODER_LOGGED_OUT: preflight,
  CODER_FORBIDDEN: preflight,
  CODER_RATE_LIMITED: preflight,
  CODER_TEMPLATE_MISSING: preflight,
  CODER_PRESET_MISSING: preflight,
  CODER_PARAMETER_REJECTED: preflight,
  CODER_EXTERNAL_AUTH_MISSING: preflight,
  CODER_UNEXPECTED_ANSWER: preflight,
  LOCAL_PROVIDER_UNAVAILABLE: preflight,
  WORKSPACE_CREATE_FAILED: issueFailed,
  WORKSPACE_QUOTA: issueFailed,
  WORKSPACE_QUOTA_BUSY: issueFailed,
  WORKSPACE_BUILD_FAILED: issueFailed,
  WORKSPACE_BUILD_STUCK: issueFailed,
  WORKSPACE_AGENT_UNREACHABLE: issueFailed,
  WORKSPACE_STARTUP_FAILED: issueFailed,
  WORKSPACE_SHELL_UNREACHABLE: issueFailed,
  WORKSPACE_LOST: issueFailed,
  WORKSPACE_FILE_REFUSED: issueFailed,
  WORKSPACE_NOT_STOPPED: issueFailed,
  WORKSPACE_STRANDED: issueFailed,
  STORE_UNWRITABLE: preflight,
  STORE_CORRUPT: preflight,
  STORE_TOO_NEW: preflight,
  STORE_UNSAFE: preflight,
  CHECKOUT_FAILED: issueFailed,
  CHECKOUT_BUNDLE_FAILED: issueFailed,
  CHECKOUT_SETUP_FAILED: issueFailed,
  CONTROL_FILE_FAILED: issueFailed,
  TRIAGE_AGENT_UNAVAILABLE: issueFailed,
  TRIAGE_AGENT_FAILED: issueFailed,
  MODEL_BUDGET_SPENT: issueFailed,
  TRIAGE_AGENT_BLOCKED: issueFailed,
  TRIAGE_AGENT_DIALOG_UNKNOWN: issueFailed,
  TRIAGE_AGENT_LOST: issueFailed,
  PLACE_TAKEN: issueFailed,
  VERIFICATION_OUT_OF_TIME: issueFailed,
  SECRET_LEAKED: issueFailed,
  CLEANING_FAILED: issueFailed,
  PUBLICATION_MISMATCH: issueFailed,
  REPRODUCTION_UNREADABLE: batchFailed,
  AUDIT_LOG_MISSING: batchFailed,
  AUDIT_LOG_DAMAGED: batchFailed,
  AUDIT_LOG_UNWRITABLE: issueFailed,
  HOME_FAILED: issueFailed,
  RUN_DEADLINE: issueFailed,
  PARENT_LOST: issueFailed,
  VERIFICATION_IMPOSSIBLE: issueFailed,
  REPRODUCTION_UNPROVEN: issueFailed,
  RUN_INTERNAL_ERROR: issueFailed,
  HOME_REFUSED: preflight,
  SESSION_NOT_FOUND: batchFailed,
  SESSION_UNREADABLE: batchFailed,
  SESSION_NOT_RUNNING: issueFailed,
  SESSION_ALREADY_DESTROYED: issueFailed,
  SPAWN_PROGRAM_MISSING: issueFailed,
  SPAWN_DIRECTORY_MISSING: issueFailed,
  SPAWN_FAILED: issueFailed,
  INVALID_WAIT_CONDITION: issueFailed,
  STABILITY_NOT_PROVABLE_OFFLINE: issueFailed,
  EXPORT_FAILED: issueFailed,
  FFMPEG_MISSING: issueFailed,
  RENDERER_UNAVAILABLE: issueFailed,
  PICTURE_TOO_LARGE: issueFailed,
  INVALID_INPUT: issueFailed,
  INPUT_NOT_TAKEN: issueFailed,
  NOT_A_SHELL: issueFailed,
  RUN_BECAME_SHELL: issueFailed,
  DESTROY_TIMED_OUT: issueFailed,
  EVENT_LOG_DISK_FULL: issueFailed,
  EVENT_LOG_FAILED: issueFailed,
  MANIFEST_NOT_WRITTEN: issueFailed,
  REGEX_TOO_SLOW: issueFailed,
  RELEASE_GIT_FAILED: batchFailed,
  RELEASE_NOT_IN_A_CHECKOUT: preflight,
  RELEASE_PUSH_REFUSED: batchFailed,
  RELEASE_REMOTE_UNUSABLE: preflight,
  RELEASE_SHALLOW_CLONE: preflight,
  RELEASE_HEAD_DETACHED: preflight,
  RELEASE_NOT_ON_DEFAULT_BRANCH: preflight,
  RELEASE_TREE_DIRTY: preflight,
  RELEASE_OUT_OF_STEP: preflight,
  RELEASE_NOTHING_NEW: preflight,
  RELEASE_UNFINISHED: preflight,
  RELEASE_VERSION_REFUSED: preflight,
  RELEASE_PACKAGE_UNUSABLE: preflight,
  RELEASE_SECTION_TAKEN: preflight,
  RELEASE_TAG_TAKEN: preflight,
  RELEASE_BRANCH_TAKEN: preflight,
  RELEASE_BUSY: preflight,
  RELEASE_NOT_LANDED: preflight,
  RELEASE_RANGE_UNKNOWN: preflight,
  DEMO_PRODUCT_FAILED: preflight,
  DEMO_GITHUB_FAILED: preflight,
  DEMO_PACKAGE_MISSING: preflight,
  DEMO_DIRECTORY_TAKEN: preflight,
};

/** Every error code that a command can end with. */
export const errorCodes: readonly string[] = Object.keys(exitCodeByError);

/** Returns the exit code of an error code. A code that is not in the table is a bug: exit code 1. */
export function exitCodeOf(code: string): number {
  return Object.hasOwn(exitCodeByError, code) ? exitCodeByError[code as ErrorCode] : batchFailed;
}
