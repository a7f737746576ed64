import type { BootTicks } from "../process-starts.ts";

/** A Coder template for the stand-in. Every field has a sensible default in `templateOf`. */
export interface TemplateSpec {
  name: string;
  organization?: string;
  deprecated?: boolean;
  deprecationMessage?: string;
  /** While this is true, create answers 406. */
  importing?: boolean;
  allowUserCancel?: boolean;
  /** Default true. False: a Coder workspace cannot have a ttl of its own (Coder Premium). */
  allowUserAutostop?: boolean;
  /** Settings of Coder Premium; the default 0 means off. */
  schedule?: { failureMs?: number; dormantMs?: number; autodeleteMs?: number };
  parameters?: ParameterSpec[];
  presets?: PresetSpec[];
  externalAuth?: { id: string; authenticated: boolean; optional?: boolean }[];
  /** Names of the Coder workspace agents; default `["main"]`. */
  agents?: string[];
  /** `connection_timeout` of the Coder workspace agents, in seconds; 0: they are never marked as timed out. Default 120. */
  connectionTimeoutS?: number;
}

export interface PresetSpec {
  name: string;
  isDefault?: boolean;
  parameters?: Record<string, string>;
  /** The number of prebuilds that the deployment keeps of this preset; undefined if it has no `prebuilds` block. */
  prebuilds?: number;
  /** The age of the prebuilds when they appear, in milliseconds; default 0. */
  prebuildAgeMs?: number;
}

export interface ParameterSpec {
  name: string;
  required?: boolean;
  mutable?: boolean;
  ephemeral?: boolean;
  defaultValue?: string;
  options?: string[];
}

/** How long the simulated machinery takes, in milliseconds. */
export interface StandInTimings {
  queueMs: number;
  buildMs: number;
  connectMs: number;
  startupMs: number;
  /** From the end of a claim's build until the Coder workspace agent restarts; it looks ready during this time. */
  reinitMs: number;
  /** How long the agent then reports `shutting_down`. */
  shutdownMs: number;
  stopMs: number;
  deleteMs: number;
  cancelMs: number;
}

/** The current faults. Tests set the fields; counters count down. */
export interface CoderFaults {
  /** Whether the licence has advanced template scheduling. */
  isPremium: boolean;
  /** The user's credits in Coder's format (-1: no limit); null if the deployment has no quotas. */
  quota: { credits_consumed: number; budget: number } | null;
  /** Every request answers 401. */
  unauthorized: boolean;
  /** A name in use gets the answer of a lost race at the unique index (HTTP 500) instead of 409. */
  uniqueIndexRace: boolean;
  startBuild: "succeeds" | "fails" | "quota" | "stuck-pending" | "stuck-running";
  /** The number of start builds that still have to fail because the quota check waited for more than 30 s (Coder 2.39). */
  quotaWaits: number;
  /** The log of a failing start build. */
  buildError: string;
  /** The behaviour of the Coder workspace agent after the build. */
  startup: "ready" | "never-connects" | "start_error" | "start_timeout" | "shutting_down";
  /** The number of stop builds that still have to fail with a Terraform error. */
  failingStops: number;
  /** The number of delete builds that still have to fail with a Terraform error. */
  failingDeletes: number;
  /** Delete builds are refused with 403. */
  deleteForbidden: boolean;
  /** Whether an administrator has disabled the sharing of Coder workspaces. */
  isSharingDisabled: boolean;
  /** The search of `GET /workspaces` ignores its terms; a caller must not rely on them. */
  lenientSearch: boolean;
  /** The number of `coder ssh` attempts that still have to fail with exit status 1. */
  sshSetupFailures: number;
  /** The number of `coder ssh` attempts whose connection is still to be lost before any output. */
  sshDrops: number;
  /** Faulty answers to the next matching requests, before or after their effect. */
  answers: AnswerFault[];
}

export interface AnswerFault {
  method: string;
  path: RegExp;
  times: number;
  /** `before`: the request has no effect. `after`: it has its effect, but the caller gets `answer` instead of the real answer. */
  effect: "before" | "after";
  answer: "drop" | { status: number; body?: unknown; html?: string; headers?: Record<string, string> };
}

/** How the `coder` executable behaves; read by it at every start. */
export interface CliBehaviour {
  version: string;
  hangs: boolean;
  /** Directories that come before the machine's own in PATH; ends with a colon, or is empty. */
  pathPrefix: string;
}

export type Transition = "start" | "stop" | "delete";

export interface BuildRecord {
  id: string;
  number: number;
  transition: Transition;
  initiatorId: string;
  jobId: string;
  parameters: Record<string, string>;
  presetId: string | null;
  createdMs: number;
  startedMs: number | null;
  completedMs: number | null;
  canceledMs: number | null;
  job: "pending" | "running" | "succeeded" | "canceling" | "canceled" | "failed";
  error: string | null;
  errorCode: string | null;
  outcome: CoderFaults["startBuild"] | "quota-wait";
  startup: CoderFaults["startup"];
}

export interface WorkspaceRecord {
  id: string;
  name: string;
  ownerId: string;
  template: Template;
  createdMs: number;
  ttlMs: number | null;
  isDeleted: boolean;
  isFavorite: boolean;
  /** The deadline at which the server stops it, if it was extended; null otherwise. */
  deadlineMs: number | null;
  /** Roles by group id. */
  groupRoles: Map<string, string>;
  builds: BuildRecord[];
  agents: { id: string; name: string }[];
  /** When its Coder workspace agent restarted or will restart; null if never. */
  reinitialiseMs: number | null;
  /**
   * A moment before its first connection was accepted, so all processes on its machine are younger; null if there was no
   * connection.
   */
  reachedSince: BootTicks | null;
  /** The private directory that represents the machine. */
  home: string;
}

export interface Template {
  id: string;
  versionId: string;
  organizationId: string;
  spec: TemplateSpec & { organization: string; agents: string[]; parameters: ParameterSpec[] };
  presets: {
    id: string;
    name: string;
    isDefault: boolean;
    parameters: Record<string, string>;
    prebuilds: number | null;
    prebuildAgeMs: number;
  }[];
}

/** The deployment's state. Time passes only in `settle`, which every request calls first. */
export interface StandInState {
  readonly me: { id: string; username: string };
  readonly organizations: Map<string, string>;
  /** Ids of groups by name, the same in every organization. */
  readonly groups: Map<string, string>;
  /** The deployment's notifications; `disabled` null: the user has chosen nothing. */
  readonly notifications: { id: string; name: string; disabled: boolean | null; isDefault: boolean }[];
  /** The AI Gateway's counts. */
  readonly gatewaySessions: GatewaySessionRecord[];
  readonly templates: Template[];
  readonly workspaces: WorkspaceRecord[];
  readonly faults: CoderFaults;
  readonly timings: StandInTimings;
  /**
   * The highest number of machines that were running at the same time; a machine counts from the request for a start build until
   * a stop or delete build ends.
   */
  readonly peakRunning: () => number;
  settle(): void;
  /** Returns the number of presets of which a create would claim a prebuild now. */
  claimableCount(): number;
  addWorkspace(workspace: NewWorkspace): WorkspaceRecord;
  /** Adds a build; the default initiator is the owner of the Coder workspace. */
  addBuild(workspace: WorkspaceRecord, transition: Transition, initiatorId?: string): BuildRecord;
  dispose(): void;
}

export interface NewWorkspace {
  name: string;
  template: Template;
  parameters: Record<string, string>;
  presetId: string | null;
  ttlMs: number | null;
  ownerId?: string;
  createdMs?: number;
}

export const LEASE_PARAMETERS: ParameterSpec[] = [
  "run_id",
  "issue_number",
  "repo_url",
  "ref",
  "afk_parent",
  "afk_lease_seconds",
].map((name) => ({ name, defaultValue: "", mutable: true }));

export const DEFAULT_TEMPLATE: TemplateSpec = { name: "triage", parameters: LEASE_PARAMETERS };

export const DEFAULT_TIMINGS: StandInTimings = {
  queueMs: 5,
  buildMs: 10,
  connectMs: 5,
  startupMs: 5,
  reinitMs: 10,
  shutdownMs: 10,
  stopMs: 10,
  deleteMs: 10,
  cancelMs: 5,
};

export function noFaults(): CoderFaults {
  return {
    isPremium: false,
    quota: null,
    unauthorized: false,
    uniqueIndexRace: false,
    startBuild: "succeeds",
    quotaWaits: 0,
    buildError: "terraform apply: exit status 1",
    startup: "ready",
    failingStops: 0,
    failingDeletes: 0,
    deleteForbidden: false,
    isSharingDisabled: false,
    lenientSearch: false,
    sshSetupFailures: 0,
    sshDrops: 0,
    answers: [],
  };
}

/** One session as the AI Gateway stores it, with the price of its model in dollars per million input tokens. */
export interface GatewaySessionRecord {
  id: string;
  userId: string;
  model: string;
  startedMs: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** 0 if the model has no list price. */
  usdPerMillion: number;
  blocked?: number;
}

/** Returns the active version of each template, and the versions that built the existing Coder workspaces. */
export function templateVersions({ templates, workspaces }: StandInState): Template[] {
  return [...templates, ...workspaces.map(({ template }) => template)];
}
