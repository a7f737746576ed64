import type { BootTicks } from "../process-starts.ts";

/** A Coder template for the stand-in. Every field has a sensible default in `templateOf`. */
export interface TemplateSpec {
  name: string;
  organization?: string;
  deprecated?: boolean;
  deprecationMessage?: string;
  /** Answered as 406 by create until it is false. */
  importing?: boolean;
  allowUserCancel?: boolean;
  /** Default true. False: a Coder workspace cannot have a ttl of its own (Coder Premium). */
  allowUserAutostop?: boolean;
  /** Settings of Coder Premium; default 0: off. */
  schedule?: { failureMs?: number; dormantMs?: number; autodeleteMs?: number };
  parameters?: ParameterSpec[];
  presets?: PresetSpec[];
  externalAuth?: { id: string; authenticated: boolean; optional?: boolean }[];
  /** Names of the Coder workspace agents; default `["main"]`. */
  agents?: string[];
}

export interface PresetSpec {
  name: string;
  isDefault?: boolean;
  parameters?: Record<string, string>;
  /** How many prebuilt Coder workspaces the deployment keeps of it; undefined: it has no `prebuilds` block. */
  prebuilds?: number;
  /** How old they are when they appear; default 0. */
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
  /** From the end of a claim's build until the Coder workspace agent is told to start again; it looks ready meanwhile. */
  reinitMs: number;
  /** How long it then says `shutting_down`. */
  shutdownMs: number;
  stopMs: number;
  deleteMs: number;
  cancelMs: number;
}

/** The faults from now on. Tests set the fields; counters count down. */
export interface CoderFaults {
  /** Whether the licence has advanced template scheduling. */
  isPremium: boolean;
  /** The user's credits, as Coder writes them (-1: no limit); null: the deployment has no quotas. */
  quota: { credits_consumed: number; budget: number } | null;
  /** Every request answers 401. */
  unauthorized: boolean;
  /** A taken name is answered as the lost race at the unique index (HTTP 500) instead of 409. */
  uniqueIndexRace: boolean;
  startBuild: "succeeds" | "fails" | "quota" | "stuck-pending" | "stuck-running";
  /** Start builds that still have to fail because the check of the quota waited for more than 30 s (Coder 2.39). */
  quotaWaits: number;
  /** The log of a failing start build. */
  buildError: string;
  /** The behaviour of the Coder workspace agent after the build. */
  startup: "ready" | "never-connects" | "start_error" | "start_timeout" | "shutting_down";
  /** Stop builds that still have to fail with a Terraform error. */
  failingStops: number;
  /** Delete builds that still have to fail with a Terraform error. */
  failingDeletes: number;
  /** Delete builds are refused with 403. */
  deleteForbidden: boolean;
  /** An administrator has switched the sharing of Coder workspaces off. */
  isSharingDisabled: boolean;
  /** The search of `GET /workspaces` ignores its terms, as a caller must expect of any search. */
  lenientSearch: boolean;
  /** `coder ssh` attempts that still have to fail with exit status 1. */
  sshSetupFailures: number;
  /** `coder ssh` attempts whose connection is lost before any output. */
  sshDrops: number;
  /** Answers instead of, or after the effect of, the next matching requests. */
  answers: AnswerFault[];
}

export interface AnswerFault {
  method: string;
  path: RegExp;
  times: number;
  /** `before`: the request has no effect. `after`: it has, but the caller gets `answer` instead of the truth. */
  effect: "before" | "after";
  answer: "drop" | { status: number; body?: unknown; html?: string; headers?: Record<string, string> };
}

/** How the `coder` executable behaves; read by it at every start. */
export interface CliBehaviour {
  version: string;
  hangs: boolean;
  /** Looked through before the machine's own directories of programs; ends with a colon, or is empty. */
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
  /** When the server stops it, as far as it was extended; null: it was not. */
  deadlineMs: number | null;
  /** Roles by group id. */
  groupRoles: Map<string, string>;
  builds: BuildRecord[];
  agents: { id: string; name: string }[];
  /** When its Coder workspace agent was, or will be, told to start again; null: never. */
  reinitialiseMs: number | null;
  /** Before the first connection was let in: processes that run on its machine are younger. null: there was none. */
  reachedSince: BootTicks | null;
  /** The private directory that plays the machine. */
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

/** The deployment's memory. Time passes only in `settle`, which every request calls first. */
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
  /** The most machines that were up at one moment: from the request for a start build until a stop or delete build ends. */
  readonly peakRunning: () => number;
  settle(): void;
  /** Presets of which a create would claim a prebuilt Coder workspace now. */
  claimableCount(): number;
  addWorkspace(workspace: NewWorkspace): WorkspaceRecord;
  /** Default initiator: its owner. */
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

/** One session as the AI Gateway stores it, with what its model costs in dollars a million input tokens. */
export interface GatewaySessionRecord {
  id: string;
  userId: string;
  model: string;
  startedMs: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** 0: the model has no list price. */
  usdPerMillion: number;
  blocked?: number;
}
