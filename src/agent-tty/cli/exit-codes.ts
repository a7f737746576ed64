import type { EngineErrorCode } from "../host/index.ts";
import type { StorageErrorCode } from "../kit/index.ts";
import type { ProtocolErrorCode } from "../protocol/index.ts";

export type CommandErrorCode =
  | EngineErrorCode
  | ProtocolErrorCode
  | StorageErrorCode
  | "WAIT_TIMED_OUT"
  | "USAGE"
  | "RECORDING_UNREADABLE"
  | "OUTPUT_LOST"
  | "INTERNAL";

/** Exit code when the caller's timeout for a wait or a Waited Run ends. */
export const TIMED_OUT_EXIT_CODE = 11;
/** Exit code when the Session has exited, so that the awaited condition can no longer become true. */
export const INTERRUPTED_SESSION_EXIT_CODE = 4;

export interface ErrorPolicy {
  exitCode: number;
  /** Whether the same command may succeed later although nobody changes anything. */
  retryable: boolean;
}

const USAGE: ErrorPolicy = { exitCode: 2, retryable: false };
const STORAGE: ErrorPolicy = { exitCode: 8, retryable: false };

/** The one total table from error code to exit code. */
export const ERROR_POLICY: Readonly<Record<CommandErrorCode, ErrorPolicy>> = {
  INTERNAL: { exitCode: 1, retryable: false },
  USAGE,
  INVALID_INPUT: USAGE,
  NOT_A_SHELL: USAGE,
  RUN_BECAME_SHELL: USAGE,
  INVALID_WAIT_CONDITION: USAGE,
  REGEX_TOO_SLOW: USAGE,
  SPAWN_PROGRAM_MISSING: USAGE,
  SPAWN_DIRECTORY_MISSING: USAGE,
  SPAWN_FAILED: { exitCode: 1, retryable: true },
  SESSION_NOT_FOUND: { exitCode: 3, retryable: false },
  SESSION_NOT_RUNNING: { exitCode: 4, retryable: false },
  SESSION_ALREADY_DESTROYED: { exitCode: 4, retryable: false },
  INPUT_NOT_TAKEN: { exitCode: 5, retryable: true },
  DESTROY_TIMED_OUT: { exitCode: 5, retryable: true },
  WAIT_TIMED_OUT: { exitCode: TIMED_OUT_EXIT_CODE, retryable: true },
  HOST_NOT_STARTED: { exitCode: 1, retryable: true },
  HOST_TIMEOUT: { exitCode: 5, retryable: true },
  HOST_UNREACHABLE: { exitCode: 6, retryable: true },
  PROTOCOL_VIOLATION: { exitCode: 9, retryable: false },
  EXPORT_FAILED: { exitCode: 7, retryable: true },
  FFMPEG_MISSING: { exitCode: 7, retryable: false },
  RENDERER_UNAVAILABLE: { exitCode: 7, retryable: false },
  PICTURE_TOO_LARGE: { exitCode: 7, retryable: false },
  HOME_REFUSED: STORAGE,
  SESSION_UNREADABLE: STORAGE,
  EVENT_LOG_DISK_FULL: STORAGE,
  EVENT_LOG_FAILED: STORAGE,
  MANIFEST_NOT_WRITTEN: STORAGE,
  STORAGE_REFUSED: STORAGE,
  OUTPUT_LOST: STORAGE,
  RECORDING_UNREADABLE: { exitCode: 10, retryable: false },
  STABILITY_NOT_PROVABLE_OFFLINE: { exitCode: 10, retryable: false },
};

/** Returns the exit code and retryability of an error code. An unknown code counts as INTERNAL. */
export function policyOf(code: string): ErrorPolicy {
  return Object.hasOwn(ERROR_POLICY, code) ? ERROR_POLICY[code as CommandErrorCode] : ERROR_POLICY.INTERNAL;
}
