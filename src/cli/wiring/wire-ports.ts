import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import type { GithubHistory, RepositoryName } from "../../github/index.ts";
import {
  type BatchPorts,
  type BatchSettings,
  createCanaryDetector,
  createClaudeCodePrintAgent,
  createClaudeCodeTuiAgent,
  createCommandAgent,
  createPublicationTurns,
  agentSecrets,
  type ParentSecret,
  type TriageAgent,
  type BatchLog,
  type BatchLogOptions,
  createBatchLog,
  withoutRepositories,
} from "../../triage/index.ts";
import { TURN_TIMINGS } from "../../tui/index.ts";
import {
  type CoderProviderOptions,
  type CoderWorkspaceProvider,
  type ModelMeter,
  createCoderProvider,
  createModelMeter,
  createLocalProvider,
  parentIdentity,
  type TokenSource,
} from "../../workspaces/index.ts";
import type { RunEnvironment, ProgramSettings, TriageAgentSettings } from "../../config/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";
import { connectGithub } from "./connect-github.ts";
import { gitBundler } from "./git-bundle.ts";
import { githubCredential } from "./github-credential.ts";
import { openProgramHome, type ProgramHome } from "../../home/index.ts";
import { outputCleaner } from "./output-cleaner.ts";

/** The interval, in milliseconds, of reading a running Triage Agent's tokens. Each read uses the Coder workspace's connection. */
const USAGE_LOOK_MS = 15_000;

/** All ports of a batch, except the observer. Disposing closes the store. */
export type WiredPorts = Omit<BatchPorts, "observe"> &
  Disposable & {
    history: GithubHistory;
    warnings: string[];
    log: BatchLog;
    home: ProgramHome;
  };

/** The options by which a process differs from one that runs a single batch in its home. */
export interface WiringOptions {
  /** Called with every line of the log. */
  echoLog?: ((line: string) => void) | null;
  makeLog?: (options: BatchLogOptions) => BatchLog;
  /** The directory of a fleet worker; the home if omitted. */
  workerHome?: string;
}

/** Returns the ports of a batch with their adapters. Preflight failures throw before anything is created. */
export async function wirePorts(
  settings: ProgramSettings,
  environment: RunEnvironment,
  signal: AbortSignal,
  { echoLog = null, makeLog = createBatchLog, workerHome = settings.home }: WiringOptions = {},
): Promise<WiredPorts> {
  const clock = systemClock;
  const ids = systemIds(clock);
  const parent = await parentIdentity();
  const credential = githubCredential(environment, firstRepository(settings));
  const home = await openProgramHome(settings.home, { clock, ids }, workerHome);
  try {
    const canaries = createCanaryDetector([
      ...withoutRepositories(environment.secrets, settings.batch.repos),
      ...agentSecrets(settings.triageAgent.env),
      ...(await keptSecrets(home.directory)),
    ]);
    const watch =
      (name: string) =>
      (value: string): void =>
        canaries.watch({ name, value });
    const cleaner = outputCleaner(canaries);
    const { dryRun } = settings.batch;
    const runsDirectory = dryRun ? null : home.runsDirectory;
    const log = makeLog({ runsDirectory, clock, ids, canaries, echo: echoLog });
    const { gitToken, ...github } = await connectGithub(environment, credential, home, {
      onCredential: watch("a GitHub token of this batch"),
      onExchange: log.exchange,
    });
    const provider = dryRun
      ? absentProvider(settings.provider)
      : createProvider(settings, environment, {
          home,
          parent,
          clock,
          ids,
          onExchange: log.exchange,
          onToken: watch("a Coder token that was read while running"),
        });
    const meterPorts = { clock, ids, onExchange: log.exchange };
    const modelMeter = dryRun ? null : meterOf(settings, environment, meterPorts);
    const described = dryRun ? null : await provider.preflight(signal);
    return {
      ...github,
      provider,
      modelMeter,
      triageAgent: createTriageAgent(settings.triageAgent, settings.batch.budget, clock),
      sessionHome: home.sessions,
      store: home.store,
      reproductions: home.reproductions,
      duplicates: home.duplicates,
      checkpoints: home.checkpoints,
      runsDirectory: home.runsDirectory,
      bundle: gitBundler(gitToken),
      markers: { keys: environment.markerKeys, trustedAuthors: environment.trustedAuthors },
      publishing: createPublicationTurns(credential.type === "app" ? ownerOf : () => ""),
      canaries,
      cleaner,
      parent,
      clock,
      ids,
      warnings: [
        ...markerWarnings(environment),
        ...budgetWarnings(settings, modelMeter !== null),
        ...(described?.warnings ?? []),
      ],
      log,
      home,
      withinIssue: log.withinIssue,
      [Symbol.dispose]: () => {
        cleaner[Symbol.dispose]();
        log[Symbol.dispose]();
        home[Symbol.dispose]();
      },
    };
  } catch (error) {
    home[Symbol.dispose]();
    throw error;
  }
}

/** Returns the owner of a repository. GitHub counts an App's requests per installation, and an owner has one installation. */
function ownerOf(repo: RepositoryName): string {
  return repo.split("/")[0] ?? "";
}

/** Returns the board's token, if this home has one. */
async function keptSecrets(directory: string): Promise<ParentSecret[]> {
  const value = await readFile(join(directory, "board-token"), "utf8").catch(() => "");
  return value.trim() === "" ? [] : [{ name: "the board's token", value: value.trim() }];
}

function firstRepository({ batch }: ProgramSettings): RepositoryName {
  const [repository] = batch.repos;
  if (repository === undefined) throw new Error("a batch without a repository");
  return repository;
}

/**
 * Returns the provider of Coder workspaces that the settings choose: a Coder deployment, or this machine. Throws
 * CODER_TOKEN_MISSING if the URL or the token is missing.
 */
export function createProvider(
  settings: ProgramSettings,
  environment: RunEnvironment,
  facts: { home: Pick<ProgramHome, "directory" | "workspacesDirectory">; parent: string } & Pick<
    BatchPorts,
    "clock" | "ids"
  > &
    Pick<CoderProviderOptions, "onExchange" | "onToken">,
): CoderWorkspaceProvider {
  const { home, ...ports } = facts;
  if (settings.provider === "local") return createLocalProvider({ root: home.workspacesDirectory, ...ports });
  const { coder } = settings;
  const tokenSource = coderTokenSource(environment);
  const hasToken = environment.coderToken !== null || tokenSource.type !== "environment";
  if (coder.url === null || !hasToken) {
    const missing = coder.url === null ? "CODER_URL" : "CODER_SESSION_TOKEN";
    throw new OperationalError<CliErrorCode>({
      code: "CODER_TOKEN_MISSING",
      message: `connect to Coder: ${missing} is not set`,
      remedy: `Set ${missing} (a token comes from \`coder tokens create\`), or use --provider local.`,
    });
  }
  const cliDirectory = join(home.directory, "coder-cli");
  return createCoderProvider(coderOptions(settings, environment, { cliDirectory, ...ports }));
}

/** Returns the options of the Coder provider. A missing URL or token is an empty string; the preflight reports it. */
export function coderOptions(
  { coder, batch }: Pick<ProgramSettings, "coder" | "batch">,
  environment: RunEnvironment,
  facts: Pick<CoderProviderOptions, "cliDirectory" | "clock" | "ids" | "onToken" | "onExchange">,
): CoderProviderOptions {
  const { multiplexer, inspectionLimit: _, firewallLog: __, ...deployment } = coder;
  return {
    ...deployment,
    url: coder.url ?? "",
    token: environment.coderToken ?? "",
    tokenSource: coderTokenSource(environment),
    binary: environment.coderBinary,
    ...(batch.checkout.url === null ? {} : { repoUrl: () => batch.checkout.url ?? "" }),
    ...(batch.checkout.ref === null ? {} : { ref: batch.checkout.ref }),
    runDeadlineMs: batch.runDeadlineMs,
    keepMs: batch.inspection?.keepMs ?? 0,
    ...(multiplexer === "none" ? {} : { terminalRelay: terminalRelay() }),
    ...facts,
  };
}

function coderTokenSource({ coderTokenFile, coderTokenCommand }: RunEnvironment): TokenSource {
  if (coderTokenFile !== null) return { type: "file", path: coderTokenFile };
  if (coderTokenCommand !== null) return { type: "command", commandLine: coderTokenCommand };
  return { type: "environment" };
}

/** Returns the meter of the model's cost; null if the cost is not queried. */
function meterOf(
  { coder, provider, triageAgent }: ProgramSettings,
  { coderToken, gatewayToken }: RunEnvironment,
  ports: Pick<CoderProviderOptions, "clock" | "ids" | "onExchange">,
): ModelMeter | null {
  refuseParentsTokens(triageAgent.env, [coderToken, gatewayToken]);
  if (provider === "local" || gatewayToken === null || coder.url === null) return null;
  return createModelMeter({
    url: coder.url,
    token: gatewayToken,
    organization: coder.organization,
    ...ports,
  });
}

/**
 * Throws MODEL_TOKEN_REFUSED for a token of the parent in the Triage Agent's variables: the Triage Agent can read all its
 * variables, and such a token would let it delete Coder workspaces.
 */
function refuseParentsTokens(
  env: Readonly<Record<string, string>>,
  tokens: readonly (string | null)[],
): void {
  const given = Object.entries(env).find(([, value]) => value !== "" && tokens.includes(value));
  if (given === undefined) return;
  throw new OperationalError<CliErrorCode>({
    code: "MODEL_TOKEN_REFUSED",
    message: `start the Triage Agent: triageAgent.env.${given[0]} is a Coder token of the parent`,
    remedy: "Give it a token of a Coder user for the model alone, as docs/coder.md says.",
  });
}

/** Returns the command of the terminal relay, which is beside this file once bundled. */
function terminalRelay(): [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL("coder-terminal.js", import.meta.url))];
}

/** Returns the provider of a dry run, which creates nothing: it needs only GitHub, neither Coder's URL nor a login. */
function absentProvider(kind: CoderWorkspaceProvider["kind"]): CoderWorkspaceProvider {
  const refuse = (): Promise<never> => Promise.reject(new Error("a dry run asked for a Coder workspace"));
  return {
    kind,
    preflight: refuse,
    create: refuse,
    list: refuse,
    leaseState: refuse,
    stop: refuse,
    keep: refuse,
    destroy: refuse,
  };
}

/** Returns the Triage Agent that the settings choose: a command, or Claude Code in print or TUI mode. */
export function createTriageAgent(
  settings: TriageAgentSettings,
  budget: BatchSettings["budget"],
  clock: Clock,
): TriageAgent {
  const environment = settings.env;
  if (settings.kind === "command") return createCommandAgent({ command: settings.command, environment });
  const { runUsd: maxUsd, runTokens } = budget;
  const tokenLimit = runTokens === null ? null : { tokens: runTokens, intervalMs: USAGE_LOOK_MS, clock };
  const options = { program: "claude", model: settings.model, maxUsd, tokenLimit, environment };
  return settings.mode === "print"
    ? createClaudeCodePrintAgent(options)
    : createClaudeCodeTuiAgent(options, {
        clock,
        timings: { ...TURN_TIMINGS, personMs: settings.waitForPersonMs ?? 0 },
      });
}

/** Returns a warning for each limit that cannot be enforced, so that people do not rely on it. */
function budgetWarnings({ triageAgent, batch }: ProgramSettings, isMetered: boolean): string[] {
  const { runUsd, batchUsd, runTokens, batchTokens } = batch.budget;
  if (triageAgent.kind === "command")
    return [runUsd, batchUsd, runTokens, batchTokens].some((limit) => limit !== null)
      ? ["a Triage Agent of kind command reports no usage: budgets in dollars or tokens are not enforced"]
      : [];
  // A gateway's count is complete only after a run has ended.
  const isBatchWatched = batchUsd === null || isMetered;
  const hasCost = triageAgent.mode === "print" || (runUsd === null && isBatchWatched);
  return hasCost
    ? []
    : [
        "Claude Code's TUI reports tokens but no cost: set budget.runTokens and budget.batchTokens; budgets in dollars are not enforced",
      ];
}

/** With a shorter marker key, an attacker can search offline for the key of a signature in a public comment. */
export const MARKER_KEY_MIN_CHARACTERS = 16;

function markerWarnings(environment: RunEnvironment): string[] {
  const [key] = environment.markerKeys;
  if (key !== undefined) {
    return key.length >= MARKER_KEY_MIN_CHARACTERS
      ? []
      : [`AFK_TRIAGE_MARKER_KEY is shorter than ${MARKER_KEY_MIN_CHARACTERS} characters: it can be guessed`];
  }
  return [
    "AFK_TRIAGE_MARKER_KEY is not set: triage notes are unsigned, so anyone who can edit our comments can forge them",
  ];
}
