import type { SessionExit } from "agent-tty";
import type { OperationalError } from "agent-tty/kit";

/**
 * The Coder workspace port: disposable machines, one per Triage Run (A29). Two adapters stand beside it: `coder/`
 * (a Coder deployment) and `local/` (a private directory of this machine, for the demo and trusted repositories).
 */
export interface CoderWorkspaceProvider {
  readonly kind: "coder" | "local";
  /** Checks everything that would fail every create: versions, login, template. Rejects with a WorkspaceErrorCode. */
  preflight(signal: AbortSignal): Promise<ProviderDescription>;
  /**
   * Takes the lock by creating the Coder workspace; resolves as soon as its id is known, long before it is ready.
   * A lost answer is adopted when the lease in the deployment is ours, so after a rejection nothing of ours exists
   * (or the error is WORKSPACE_STRANDED and its details carry name and id). The signal stops retries, never an
   * attempt whose effect would be unknown.
   */
  create(request: CreateRequest, signal: AbortSignal): Promise<CreateResult>;
  /** Every Coder workspace that is provably ours: owner, template and name prefix (S15), with the lease it carries. */
  list(namePrefix: string, signal: AbortSignal): Promise<LeasedWorkspace[]>;
  /** Whether the id still exists and is not being deleted: the lease of policy 8. `unknown` is never `lost` (O13). */
  leaseState(id: string, signal: AbortSignal): Promise<"held" | "lost" | "unknown">;
  /**
   * V1: ends every process of the Coder workspace and keeps its name, which is the lock. After `stopped` it uses no machine
   * any more, `leaseState` still says `held`, and nothing that `ready` gave may be used. Tolerates one that is stopped
   * already; one that is gone is `not-stopped`. Rejects only with the signal's reason.
   */
  stop(target: WorkspaceIdentity, signal: AbortSignal): Promise<StopResult>;
  /**
   * Keeps a running Coder workspace for inspection by people, for `forMs` milliseconds from now by the server's clock, and
   * stores that time with it: `list` of any parent reads it. Its name stays held. Rejects only with the signal's reason.
   */
  keep(target: WorkspaceIdentity, forMs: number, signal: AbortSignal): Promise<KeepResult>;
  /** Deletes by id, with retries, and verifies that it is gone. Tolerates one that is already gone. */
  destroy(target: WorkspaceIdentity, signal: AbortSignal): Promise<DestroyResult>;
}

export interface ProviderDescription {
  kind: "coder" | "local";
  /** One line for people, e.g. `Coder 2.35.1 at https://coder.example, template triage`. */
  summary: string;
  warnings: string[];
}

/** Immutable facts stored with the Coder workspace, readable by every parent: who holds the lock, for which issue. */
export interface Lease {
  runId: string;
  /** `owner/repo#n` */
  issueKey: string;
  /** `hostname/pid/startTime`: proves whether the parent still lives, on the same machine. */
  parent: string;
}

export interface WorkspaceIdentity {
  id: string;
  name: string;
}

export type WorkspaceOrigin = "built" | "prebuilt";

export interface CreateRequest {
  /** The lock (T3): at most 32 characters, `^[a-z0-9]+(?:-[a-z0-9]+)*$`. */
  name: string;
  lease: Lease;
}

export type CreateResult =
  | { type: "created"; workspace: CoderWorkspace }
  /** Another parent holds the name; `holder` is its lease when it could be read. */
  | { type: "locked"; holder: Lease | null };

export interface LeasedWorkspace extends WorkspaceIdentity {
  lease: Lease | null;
  /** S15: whether the lease could have been stored with it. One that could and has none was made by somebody else. */
  couldCarryLease: boolean;
  /** By the server's clock only. */
  ageMs: number;
  /** How long after its creation its parent may still hold it, as that parent said; null: it said nothing. */
  holdMs: number | null;
  /** Alive/dead is known only for a parent on this machine. */
  parentState: "alive" | "dead" | "unknown";
  inspection: Inspection;
  /** This process could not delete it, or does not know whether it made it: nobody works in it. */
  isStranded: boolean;
}

/** Whether it is kept for inspection: `under-way` until its time has come by the server's clock, `over` from then on. */
export type Inspection = "none" | "under-way" | "over";

export type StopResult =
  /** `isProven` is false where a process that hides where it comes from could have been missed. */
  | { type: "stopped"; isProven: boolean }
  /** It may still run something. */
  | { type: "not-stopped"; error: OperationalError };

export type KeepResult =
  /** `untilMs` since the epoch, by the server's clock. `warnings` for people, such as a group it could not be shared with. */
  | { type: "kept"; untilMs: number; warnings: string[] }
  /** `why` in words; it is to be destroyed. */
  | { type: "not-kept"; why: string };

export type DestroyResult =
  | { type: "destroyed" }
  | { type: "absent" }
  /** Could not be deleted: loud, and left to the next reap. */
  | { type: "stranded"; error: OperationalError };

export interface CoderWorkspace extends WorkspaceIdentity {
  /** `prebuilt`: it was claimed from a pool that the deployment keeps, so it existed before its lease. */
  readonly origin: WorkspaceOrigin;
  /** Waits for build, Coder workspace agent and shell. Rejects with a WorkspaceErrorCode or the signal's reason. */
  ready(signal: AbortSignal, onPhase: (phase: string) => void): Promise<ReadyWorkspace>;
}

export interface ReadyWorkspace {
  /** An absolute directory inside the Coder workspace that belongs to this run alone and exists. */
  readonly directory: string;
  /** Facts about this machine for people, for the record; reported once per batch. */
  readonly warnings: readonly string[];
  /** How this machine is reached; null: it is this machine, and no exchange with it can be lost. */
  readonly connection: WorkspaceConnection | null;
  /** argv, environment and working directory that put bash, started with `rcFile`, on a PTY of this machine. */
  terminal(request: { rcFile: string }): TerminalCommand;
  /**
   * Runs a bash command line without a PTY. Never rejects because of the command's own exit code. An exchange whose answer
   * is lost is repeated for as long as the Coder workspace runs and neither `options.signal` nor the signal given to
   * `ready` is aborted. So the command line may run more than once, and must come to the same end each time.
   */
  exec(commandLine: string, options: ExecOptions): Promise<ExecResult>;
}

/** The exchange policy (ADR 39): what a lost exchange with a Coder workspace is, and whether it is repeated. */
export interface WorkspaceConnection {
  /** How long a terminal may take to show the prompt of its shell, in milliseconds; then its connection is lost. */
  readonly connectTimeoutMs: number;
  /** Whether a terminal that ended like this lost its connection. Otherwise its shell has ended. */
  isLoss(exit: SessionExit): boolean;
  /**
   * Waits before repeat number `repeat` (from 1), then asks the deployment. False when the Coder workspace was stopped or
   * deleted. A deployment that does not answer proves nothing: true. Rejects with the signal's reason.
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
  /** Per stream; the command is ended beyond it. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export type ExecResult =
  | { type: "exited"; exitCode: number; stdout: Uint8Array; stderr: string }
  | { type: "timed-out"; stderr: string }
  | { type: "output-too-large"; limitBytes: number }
  /** The transport failed for good: no repeat was possible any more. Whether the command ran is unknown. */
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
