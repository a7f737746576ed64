import type { SessionExit } from "agent-tty";
import type { OperationalError } from "agent-tty/kit";

/**
 * The Coder workspace port: disposable machines, one per Triage Run, each destroyed after it (A29). There are two adapters:
 * `coder/` (a Coder deployment) and `local/` (a private directory of this machine, for the demo and trusted repositories).
 */
export interface CoderWorkspaceProvider {
  readonly kind: "coder" | "local";
  /** Checks everything that would make every create fail: versions, login, template. Rejects with a WorkspaceErrorCode. */
  preflight(signal: AbortSignal): Promise<ProviderDescription>;
  /**
   * Takes the lock by creating the Coder workspace; resolves as soon as its id is known, long before it is ready. If the answer
   * is lost and the lease in the deployment is ours, the Coder workspace is adopted. After a rejection, therefore, nothing of
   * ours exists (or the error is WORKSPACE_STRANDED and its details contain name and id). The signal stops retries, but never an
   * attempt whose effect would be unknown.
   */
  create(request: CreateRequest, signal: AbortSignal): Promise<CreateResult>;
  /**
   * Lists every Coder workspace that is provably ours, with its stored lease. Ownership is proven by owner, template and name
   * prefix, because a reaper deletes what is listed (S15).
   */
  list(namePrefix: string, signal: AbortSignal): Promise<LeasedWorkspace[]>;
  /**
   * Returns whether the id still exists and is not being deleted; the lease must still be ours right before applying (policy 8).
   * `unknown` does not count as `lost`, because an answer that says nothing changes nothing (O13).
   */
  leaseState(id: string, signal: AbortSignal): Promise<"held" | "lost" | "unknown">;
  /**
   * Ends every process of the Coder workspace and keeps its name, which is the lock. The parent's own runs happen where the
   * Triage Agent never was (V1), so its machine is stopped first. After `stopped` the Coder workspace uses no machine any more,
   * `leaseState` still returns `held`, and nothing that `ready` returned may be used. A Coder workspace that is already stopped
   * is tolerated; one that is gone is `not-stopped`. Rejects only with the signal's reason.
   */
  stop(target: WorkspaceIdentity, signal: AbortSignal): Promise<StopResult>;
  /**
   * Keeps a running Coder workspace for inspection by people, for `forMs` milliseconds from now by the server's clock, and stores
   * that end time with it, so that every parent's `list` reads it. Its name stays held. Rejects only with the signal's reason.
   */
  keep(target: WorkspaceIdentity, forMs: number, signal: AbortSignal): Promise<KeepResult>;
  /** Deletes by id, with retries, and verifies that it is gone. Tolerates a Coder workspace that is already gone. */
  destroy(target: WorkspaceIdentity, signal: AbortSignal): Promise<DestroyResult>;
}

export interface ProviderDescription {
  kind: "coder" | "local";
  /** One line for people, e.g. `Coder 2.35.1 at https://coder.example, template triage`. */
  summary: string;
  warnings: string[];
}

/**
 * Immutable facts stored with the Coder workspace and readable by every parent: which parent holds the lock, and for which issue.
 */
export interface Lease {
  runId: string;
  /** `owner/repo#n` */
  issueKey: string;
  /** `hostname/pid/startTime`: on the same machine it proves whether the parent is still alive. */
  parent: string;
}

export interface WorkspaceIdentity {
  id: string;
  name: string;
}

export type WorkspaceOrigin = "built" | "prebuilt";

export interface CreateRequest {
  /** The name, which is the lock (T3): at most 32 characters, `^[a-z0-9]+(?:-[a-z0-9]+)*$`. */
  name: string;
  lease: Lease;
}

export type CreateResult =
  | { type: "created"; workspace: CoderWorkspace }
  /** Another parent holds the name; `holder` is its lease when it could be read. */
  | { type: "locked"; holder: Lease | null };

export interface LeasedWorkspace extends WorkspaceIdentity {
  lease: Lease | null;
  /**
   * Whether the lease could have been stored with it. A Coder workspace that could carry a lease but has none was created by
   * somebody else and is not deleted (S15).
   */
  couldCarryLease: boolean;
  /** The age by the server's clock, never by another one. */
  ageMs: number;
  /** How long after its creation its parent may still hold it, according to that parent; null: not stored. */
  holdMs: number | null;
  /** `alive` and `dead` are known only for a parent on this machine. */
  parentState: "alive" | "dead" | "unknown";
  inspection: Inspection;
  /** Whether this process could not delete it, or does not know whether it created it. No Triage Run uses it. */
  isStranded: boolean;
}

/** Whether it is kept for inspection: `under-way` until the end time by the server's clock, `over` from then on. */
export type Inspection = "none" | "under-way" | "over";

export type StopResult =
  /** `isProven` is false if a process that hides its origin could have been missed. */
  | { type: "stopped"; isProven: boolean }
  /** The Coder workspace may still run something. */
  | { type: "not-stopped"; error: OperationalError };

export type KeepResult =
  /**
   * The end `untilMs` is in milliseconds since the epoch, by the server's clock, and is `leftMs` milliseconds from now. `warnings`
   * are for people, for example that the Coder workspace could not be shared with a group.
   */
  | { type: "kept"; untilMs: number; leftMs: number; warnings: string[] }
  /** `why` is a description. The Coder workspace has to be destroyed. */
  | { type: "not-kept"; why: string };

export type DestroyResult =
  | { type: "destroyed" }
  | { type: "absent" }
  /** The Coder workspace could not be deleted. The error is reported, and the next reap tries again. */
  | { type: "stranded"; error: OperationalError };

export interface CoderWorkspace extends WorkspaceIdentity {
  /** `prebuilt`: the Coder workspace was claimed from the deployment's pool, so it existed before its lease. */
  readonly origin: WorkspaceOrigin;
  /** Waits for build, Coder workspace agent and shell. Rejects with a WorkspaceErrorCode or the signal's reason. */
  ready(signal: AbortSignal, onPhase: (phase: string) => void): Promise<ReadyWorkspace>;
}

export interface ReadyWorkspace {
  /** An existing absolute directory inside the Coder workspace that belongs to this run alone. */
  readonly directory: string;
  /** Facts about this machine that people should know; reported once per batch. */
  readonly warnings: readonly string[];
  /** The connection to this machine; null: it is this machine, and no exchange with it can be lost. */
  readonly connection: WorkspaceConnection | null;
  /** Returns argv, environment and working directory that start bash with `rcFile` on a PTY of this machine. */
  terminal(request: { rcFile: string }): TerminalCommand;
  /**
   * Runs a bash command line without a PTY. Never rejects because of the command's own exit code. An exchange whose answer
   * is lost is repeated for as long as the Coder workspace runs and neither `options.signal` nor the signal given to
   * `ready` is aborted. The command line may therefore run more than once, and must have the same result each time.
   */
  exec(commandLine: string, options: ExecOptions): Promise<ExecResult>;
}

/** The exchange policy (ADR 39): which exchanges with a Coder workspace count as lost, and whether they are repeated. */
export interface WorkspaceConnection {
  /**
   * The time in milliseconds within which a terminal must show the prompt of its shell; after it the connection counts as lost.
   */
  readonly connectTimeoutMs: number;
  /** Returns whether a terminal with this exit lost its connection. Otherwise its shell has ended. */
  isLoss(exit: SessionExit): boolean;
  /**
   * Waits before repeat number `repeat` (counted from 1), then reads the state from the deployment. Returns false if the Coder
   * workspace was stopped or deleted. Returns true if the deployment does not answer, because that proves nothing. Rejects with
   * the signal's reason.
   */
  mayRepeat(repeat: number, signal: AbortSignal): Promise<boolean>;
}

export interface TerminalCommand {
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  cwd: string;
}

export interface ExecOptions {
  stdin?: Uint8Array;
  timeoutMs: number;
  /** The limit of each stream; a command that exceeds it is ended. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export type ExecResult =
  | { type: "exited"; exitCode: number; stdout: Uint8Array; stderr: string }
  | { type: "timed-out"; stderr: string }
  | { type: "output-too-large"; limitBytes: number }
  /** The transport failed and no further repeat was possible. It is unknown whether the command ran. */
  | { type: "transport-lost"; message: string };

export type WorkspaceErrorCode =
  | "CODER_CLI_MISSING"
  | "CODER_CLI_TOO_OLD"
  | "CODER_SERVER_TOO_OLD"
  | "CODER_NOT_CONFIGURED"
  | "CODER_UNREACHABLE"
  | "CODER_LOGGED_OUT"
  | "CODER_FORBIDDEN"
  | "CODER_RATE_LIMITED"
  | "CODER_TEMPLATE_MISSING"
  | "CODER_PRESET_MISSING"
  | "CODER_PARAMETER_REJECTED"
  | "CODER_EXTERNAL_AUTH_MISSING"
  | "CODER_UNEXPECTED_ANSWER"
  | "WORKSPACE_CREATE_FAILED"
  | "WORKSPACE_QUOTA"
  | "WORKSPACE_QUOTA_BUSY"
  | "WORKSPACE_BUILD_FAILED"
  | "WORKSPACE_BUILD_STUCK"
  | "WORKSPACE_AGENT_UNREACHABLE"
  | "WORKSPACE_STARTUP_FAILED"
  | "WORKSPACE_SHELL_UNREACHABLE"
  | "WORKSPACE_LOST"
  | "WORKSPACE_FILE_REFUSED"
  | "WORKSPACE_NOT_STOPPED"
  | "WORKSPACE_STRANDED"
  | "LOCAL_PROVIDER_UNAVAILABLE";
