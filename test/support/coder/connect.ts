import { dirname, join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import {
  type CoderProviderOptions,
  type CoderTimings,
  type CoderWorkspace,
  type CoderWorkspaceProvider,
  createCoderProvider,
  type CreateRequest,
  type Lease,
  type ReadyWorkspace,
} from "../../../src/workspaces/index.ts";
import { type CoderStandIn, type CoderStandInOptions, startCoderStandIn } from "./coder-stand-in.ts";

/**
 * Timings for a deployment on loopback, which takes milliseconds; the limits allow for a busy machine that takes longer for one
 * answer.
 */
export const FAST_TIMINGS: Partial<CoderTimings> = {
  requestTimeoutMs: 30_000,
  retryForMs: 400,
  firstAnswerMs: 400,
  retryFirstDelayMs: 5,
  retryMaxDelayMs: 40,
  createIntervalMs: 0,
  settleMs: 5,
  claimSettleMs: 200,
  pollMs: 5,
  shellRetryMs: 5,
  shellTimeoutMs: 30_000,
  cliTimeoutMs: 30_000,
  exchangeFirstDelayMs: 5,
  exchangeMaxDelayMs: 40,
  cliGraceMs: 300,
  deleteRetryMs: 5,
};

export function connect(
  standIn: CoderStandIn,
  options: Partial<CoderProviderOptions> = {},
): CoderWorkspaceProvider {
  return createCoderProvider({
    url: standIn.url,
    token: standIn.token,
    binary: standIn.binary,
    cliDirectory: join(dirname(standIn.binary), "coder-cli"),
    template: "triage",
    preset: "none",
    parameters: {},
    organization: null,
    runDeadlineMs: 20 * 60_000,
    clock: systemClock,
    ids: systemIds(systemClock),
    ...options,
    timings: { ...FAST_TIMINGS, ...options.timings },
  });
}

export interface Deployment extends AsyncDisposable {
  standIn: CoderStandIn;
  provider: CoderWorkspaceProvider;
}

export async function deployment(
  standInOptions: CoderStandInOptions = {},
  providerOptions: Partial<CoderProviderOptions> = {},
): Promise<Deployment> {
  const standIn = await startCoderStandIn(standInOptions);
  const provider = connect(standIn, providerOptions);
  return {
    standIn,
    provider,
    [Symbol.asyncDispose]: async () => {
      await standIn[Symbol.asyncDispose]();
    },
  };
}

export const never: AbortSignal = new AbortController().signal;

export const LEASE: Lease = {
  runId: "20260102T030405Z",
  issueKey: "octo/product#142",
  parent: "laptop/4242/boot.1.77",
};

export const request = (name = "product-triage-142", lease: Partial<Lease> = {}): CreateRequest => ({
  name,
  lease: { ...LEASE, ...lease },
});

export async function created(
  provider: CoderWorkspaceProvider,
  wanted: CreateRequest = request(),
): Promise<CoderWorkspace> {
  const result = await provider.create(wanted, never);
  if (result.type !== "created") throw new Error(`expected the lock, got ${JSON.stringify(result)}`);
  return result.workspace;
}

export async function ready(provider: CoderWorkspaceProvider): Promise<ReadyWorkspace & { id: string }> {
  const workspace = await created(provider);
  return { ...(await workspace.ready(never, () => {})), id: workspace.id };
}

/** Returns the facts that people see of the error with which a promise rejects. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; remedy: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message, remedy } = error as { code: string; message: string; remedy: string };
    return { code, message, remedy };
  }
  throw new Error("expected a rejection");
}
