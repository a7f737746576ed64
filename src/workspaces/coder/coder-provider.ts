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
import { createHeldNames, type HeldNames } from "./held-names.ts";
import { keepWorkspace } from "./inspection.ts";
import { listWorkspaces } from "./listing.ts";
import { createPace } from "./pace.ts";
import { askCoder, type CoderQuestions, findOwnership, type Preflight, runPreflight } from "./preflight.ts";
import { type CoderTimings, DEFAULT_TIMINGS } from "./timings.ts";
import { stopWorkspace } from "./stopping.ts";
import { createSessionToken, type TokenSource } from "./session-token.ts";
import { RELAY_LIMITS, type RelaySpec } from "./terminal/index.ts";
import { parseVersion } from "./version.ts";

export interface CoderProviderOptions {
  /** The deployment's address, e.g. CODER_URL. */
  url: string;
  /** CODER_SESSION_TOKEN; may be empty when `tokenSource` gives it. */
  token: string;
  /** Where a renewed token is found after a 401; default: nowhere. */
  tokenSource?: TokenSource;
  /** Hears of every token that is read from `tokenSource` while running. */
  onToken?: (token: string) => void;
  /** The `coder` executable: a path, or a name looked up in PATH. */
  binary: string;
  /** A directory of ours for the CLI's configuration. */
  cliDirectory: string;
  template: string;
  /** A name; "none"; or null for the template's own default. */
  preset: string | null;
  parameters: Readonly<Record<string, string>>;
  /** Name or id; null when the template's name is unique among the user's organizations. */
  organization: string | null;
  /** The longest Triage Run in milliseconds: the server stops what outlives it by a margin. */
  runDeadlineMs: number;
  /** How long a failed run's Coder workspace may be kept for inspection, in milliseconds; default 0: not at all. */
  keepMs?: number;
  /** The group that may then use it; default: none. */
  inspectionGroup?: string | null;
  clock: Clock;
  ids: Ids;
  /** Needed only when the template has several Coder workspace agents. */
  agentName?: string;
  /** For the template parameters `repo_url` and `ref`; default GitHub's address of `owner/repo` and no ref. */
  repoUrl?: (repo: string) => string;
  ref?: string;
  /** Told of every request and every run of the CLI once it is over. */
  onExchange?: (exchange: Exchange) => void;
  fetch?: typeof globalThis.fetch;
  /** The environment of this process; only PATH and the certificate paths reach the CLI. */
  inheritedEnvironment?: NodeJS.ProcessEnv;
  timings?: Partial<CoderTimings>;
  /** argv that starts `coder-terminal`, which gets a lost terminal back (T12); default: none does. */
  terminalRelay?: readonly [string, ...string[]];
  terminalLimits?: Partial<TerminalLimits>;
}

export type TerminalLimits = RelaySpec["limits"];

/**
 * Coder workspaces of a Coder deployment: REST for everything on the control plane, the `coder` CLI only as the SSH
 * transport.
 */
export function createCoderProvider(options: CoderProviderOptions): CoderWorkspaceProvider {
  const context = contextOf(options);
  const held = createHeldNames();
  let passed: Preflight | null = null;
  const preflight = async (signal: AbortSignal): Promise<Preflight> =>
    (passed ??= await runPreflight(context, signal));
  return {
    kind: "coder",
    preflight: async (signal) => {
      passed = null;
      const { serverVersion, warnings } = await preflight(signal);
      const version = parseVersion(serverVersion)?.join(".") ?? "";
      return {
        kind: "coder",
        summary: `Coder ${version} at ${context.url}, template ${context.wish.template}`,
        warnings,
      };
    },
    create: (request, signal) =>
      holding(context, held, request, signal, async () =>
        createWorkspace(context, (await preflight(signal)).plan, request, signal),
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
      // From here on any parent may delete it: its own facts hold the name, not this process.
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
    // One that is stranded may still be ours under that name.
    const isStranded = error instanceof OperationalError && error.code === "WORKSPACE_STRANDED";
    if (isStranded) held.noteStranded(request.name);
    else held.release(request.name);
    throw error;
  }
}

/** A person may have deleted what was stranded. A deployment that does not say proves nothing (O13). */
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

/** The questions of a preflight, for callers that want every answer. */
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
    api: createCoderApi(createCoderHttp({ url, token, fetch, clock, ids, timings }), timings.firstAnswerMs),
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
      tokenFile: source.type === "file" ? source.path : null,
      warned: { missing: false },
    },
  };
}

/** An operational failure proves nothing about the Coder workspace (O13). One that was renamed is no lock any more. */
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

/** One that stands still is lost, unless we stopped it ourselves: then its name alone is the lock. */
function isLock(
  { name, latest_build }: WorkspaceFacts,
  taken: string | null,
  isStoppedByUs: boolean,
): boolean {
  const { transition } = latest_build;
  const isKept = transition === "start" || (transition === "stop" && isStoppedByUs);
  return isKept && (taken === null || name.toLowerCase() === taken);
}
