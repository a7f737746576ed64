import { type Clock, type Exchange, type Ids, observedFetch, OperationalError } from "agent-tty/kit";
import type {
  CoderWorkspaceProvider,
  CreateRequest,
  CreateResult,
  DestroyResult,
  WorkspaceIdentity,
} from "../port.ts";
import { createCoderApi } from "./coder-api.ts";
import { createCoderCli } from "./coder-cli.ts";
import type { CoderContext } from "./coder-context.ts";
import { createCoderHttp } from "./coder-http.ts";
import type { WorkspaceFacts } from "./coder-schemas.ts";
import { createWorkspace } from "./creation.ts";
import { destroyWorkspace } from "./deletion.ts";
import { followTemplate } from "./current-plan.ts";
import { createHeldNames, type HeldNames } from "./held-names.ts";
import { keepWorkspace } from "./inspection.ts";
import { listWorkspaces } from "./listing.ts";
import { createPace } from "./pace.ts";
import { askCoder, type CoderQuestions, findOwnership } from "./preflight.ts";
import { type CoderTimings, DEFAULT_TIMINGS } from "./timings.ts";
import { stopWorkspace } from "./stopping.ts";
import { createSessionToken, type TokenSource } from "./session-token.ts";
import { RELAY_LIMITS, type RelaySpec } from "./terminal/index.ts";
import { parseVersion } from "./version.ts";

export interface CoderProviderOptions {
  /** The deployment's address, e.g. CODER_URL. */
  url: string;
  /** CODER_SESSION_TOKEN; may be empty if `tokenSource` provides it. */
  token: string;
  /** The source of a renewed token after a 401; default: there is none. */
  tokenSource?: TokenSource;
  /** Called with every token that is read from `tokenSource` at run time. */
  onToken?: (token: string) => void;
  /** The `coder` executable: a path, or a name looked up in PATH. */
  binary: string;
  /** The directory for the CLI's configuration, used by this program only. */
  cliDirectory: string;
  template: string;
  /** The preset's name; "none"; or null for the template's own default. */
  preset: string | null;
  parameters: Readonly<Record<string, string>>;
  /** The organization's name or id; null if the template's name is unique among the user's organizations. */
  organization: string | null;
  /** The longest duration of a Triage Run, in milliseconds. The server stops a Coder workspace that outlives it by a margin. */
  runDeadlineMs: number;
  /** How long a failed run's Coder workspace may be kept for inspection, in milliseconds; default 0: it is not kept. */
  keepMs?: number;
  /** The group that may use a kept Coder workspace; default: none. */
  inspectionGroup?: string | null;
  clock: Clock;
  ids: Ids;
  /** Needed only when the template has several Coder workspace agents. */
  agentName?: string;
  /** The values of the template parameters `repo_url` and `ref`; default: GitHub's URL of `owner/repo`, and no ref. */
  repoUrl?: (repo: string) => string;
  ref?: string;
  /** Called for every request and every CLI run after it has finished. */
  onExchange?: (exchange: Exchange) => void;
  fetch?: typeof globalThis.fetch;
  /** The environment of this process; only PATH and the certificate paths reach the CLI. */
  inheritedEnvironment?: NodeJS.ProcessEnv;
  timings?: Partial<CoderTimings>;
  /**
   * The argv that starts `coder-terminal`, which reattaches to a terminal after a lost connection (T12). Default: a lost terminal
   * is not reattached.
   */
  terminalRelay?: readonly [string, ...string[]];
  terminalLimits?: Partial<TerminalLimits>;
}

export type TerminalLimits = RelaySpec["limits"];

/**
 * Creates the provider for the Coder workspaces of a Coder deployment. The control plane uses REST; the `coder` CLI serves only
 * as the SSH transport.
 */
export function createCoderProvider(options: CoderProviderOptions): CoderWorkspaceProvider {
  const context = contextOf(options);
  const held = createHeldNames();
  const template = followTemplate(context);
  return {
    kind: "coder",
    preflight: async (signal) => {
      const { serverVersion, warnings } = await template.preflight(signal);
      const version = parseVersion(serverVersion)?.join(".") ?? "";
      return {
        kind: "coder",
        summary: `Coder ${version} at ${context.url}, template ${context.wish.template}`,
        warnings,
      };
    },
    create: (request, signal) =>
      holding(context, held, request, signal, () =>
        template.withPlan((plan) => createWorkspace(context, plan, request, signal), signal),
      ),
    list: async (namePrefix, signal) =>
      listWorkspaces(context, held, await findOwnership(context, signal), namePrefix, signal),
    leaseState: (id, signal) => leaseState(context, held, id, signal),
    stop: async (target, signal) => {
      const result = await stopWorkspace(context, target, signal);
      if (result.type === "stopped") held.noteStopped(target.id);
      return result;
    },
    keep: async (target, forMs, signal) => {
      const result = await keepWorkspace(context, target, forMs, signal);
      const name = held.nameOf(target.id);
      // From here on any parent may delete it: the name is held by the Coder workspace's stored facts, not by this process.
      if (result.type === "kept" && name !== null) held.release(name);
      return result;
    },
    destroy: (target, signal) => releasing(held, target, () => destroyWorkspace(context, target, signal)),
  };
}

async function holding(
  context: CoderContext,
  held: HeldNames,
  request: CreateRequest,
  signal: AbortSignal,
  create: () => Promise<CreateResult>,
): Promise<CreateResult> {
  await releaseGone(context, held, request.name, signal);
  const holder = held.take(request);
  if (holder !== null) return { type: "locked", holder };
  try {
    const result = await create();
    if (result.type === "created") held.note(request.name, result.workspace.id);
    else held.release(request.name);
    return result;
  } catch (error) {
    // A stranded Coder workspace may still exist under that name.
    const isStranded = error instanceof OperationalError && error.code === "WORKSPACE_STRANDED";
    if (isStranded) held.noteStranded(request.name);
    else held.release(request.name);
    throw error;
  }
}

/**
 * Releases the name of a stranded Coder workspace that a person has deleted. If the deployment does not answer, nothing is proven
 * and the name stays held (O13).
 */
async function releaseGone(
  { api }: CoderContext,
  held: HeldNames,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const stranded = held.stranded(name);
  if (stranded === null) return;
  const { id } = stranded;
  try {
    const found = id === null ? await api.workspaceByName(name, signal) : await api.workspace(id, signal);
    if (found === null) held.releaseStranded(name);
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
  }
}

async function releasing(
  held: HeldNames,
  { id }: WorkspaceIdentity,
  destroy: () => Promise<DestroyResult>,
): Promise<DestroyResult> {
  const result = await destroy();
  const name = held.nameOf(id);
  if (name !== null && result.type === "stranded") held.noteStranded(name);
  else if (name !== null) held.release(name);
  return result;
}

/** Returns the checks of a preflight one by one, for callers that want the answer of each. */
export function createCoderQuestions(options: CoderProviderOptions): CoderQuestions {
  return askCoder(contextOf(options));
}

function contextOf(options: CoderProviderOptions): CoderContext {
  const { url, binary, clock, ids, runDeadlineMs } = options;
  const inherited = options.inheritedEnvironment ?? process.env;
  const source = options.tokenSource ?? { type: "environment" };
  const token = createSessionToken(options.token, source, { clock, inherited, onToken: options.onToken });
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const { onExchange = () => undefined } = options;
  const fetch = observedFetch(options.fetch ?? globalThis.fetch, "coder", clock, onExchange);
  return {
    url,
    token,
    clock,
    ids,
    timings,
    runDeadlineMs,
    inspections: { keepMs: options.keepMs ?? 0, group: options.inspectionGroup ?? null },
    paceCreates: createPace(clock, timings.createIntervalMs),
    api: createCoderApi(createCoderHttp({ url, token, fetch, clock, ids, timings })),
    cli: createCoderCli({
      url,
      token,
      binary,
      directory: options.cliDirectory,
      graceMs: timings.cliGraceMs,
      clock,
      inherited,
      onExchange,
    }),
    wish: {
      template: options.template,
      organization: options.organization,
      preset: options.preset,
      parameters: options.parameters,
    },
    checkout: {
      repoUrl: options.repoUrl ?? ((repo) => `https://github.com/${repo}.git`),
      ref: options.ref ?? null,
    },
    agentName: options.agentName ?? null,
    terminals: {
      relay: options.terminalRelay ?? null,
      limits: { ...RELAY_LIMITS, graceMs: runDeadlineMs, ...options.terminalLimits },
      warned: { missing: false },
    },
  };
}

/**
 * Returns the state of a lease. An operational failure proves nothing about the Coder workspace, so it is `unknown` (O13). A
 * renamed Coder workspace is no longer a lock.
 */
async function leaseState(
  { api }: CoderContext,
  held: HeldNames,
  id: string,
  signal: AbortSignal,
): Promise<"held" | "lost" | "unknown"> {
  try {
    const workspace = await api.workspace(id, signal);
    return workspace !== null && isLock(workspace, held.nameOf(id), held.isStopped(id)) ? "held" : "lost";
  } catch (error) {
    if (error instanceof OperationalError) return "unknown";
    throw error;
  }
}

/**
 * Returns whether the Coder workspace is still the lock. One that does not run is lost, unless we stopped it ourselves: then its
 * name alone is the lock.
 */
function isLock(
  { name, latest_build }: WorkspaceFacts,
  taken: string | null,
  isStoppedByUs: boolean,
): boolean {
  const { transition } = latest_build;
  const isKept = transition === "start" || (transition === "stop" && isStoppedByUs);
  return isKept && (taken === null || name.toLowerCase() === taken);
}
