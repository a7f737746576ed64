import { OperationalError } from "agent-tty/kit";
import type { ExecOptions, ExecResult, WorkspaceConnection, WorkspaceIdentity } from "../port.ts";
import { look } from "./await-ready.ts";
import type { CoderContext } from "./coder-context.ts";
import { planReadiness } from "./readiness.ts";
import { sshExec, type SshTransport } from "./ssh.ts";
import { isLostConnection } from "./terminal/index.ts";

/** The state of a Coder workspace according to the deployment: `unknown` if the deployment does not answer. */
export type WorkspaceState = "running" | "ended" | "unknown";

/**
 * Returns the exchange policy of this adapter (ADR 39): a lost exchange is repeated, with growing waits, until the API reports
 * that the Coder workspace no longer runs. The caller's signal limits how long that may take.
 */
export function coderConnection(context: CoderContext, workspace: WorkspaceIdentity): WorkspaceConnection {
  const { clock, timings } = context;
  return {
    connectTimeoutMs: timings.connectTimeoutMs,
    isLoss: isLostConnection,
    mayRepeat: async (repeat, signal) => {
      await clock.sleep(repeatDelayMs(repeat, timings), signal);
      return (await workspaceState(context, workspace, signal)) !== "ended";
    },
  };
}

/** Returns the wait before repeat number `repeat`, in milliseconds. Pure. */
export function repeatDelayMs(
  repeat: number,
  { exchangeFirstDelayMs, exchangeMaxDelayMs }: { exchangeFirstDelayMs: number; exchangeMaxDelayMs: number },
): number {
  return Math.min(exchangeFirstDelayMs * 2 ** Math.min(repeat - 1, 30), exchangeMaxDelayMs);
}

/**
 * Returns the state of the Coder workspace. A failed read is `unknown`, except when a later read cannot succeed either, because
 * the login has ended or access is refused.
 */
async function workspaceState(
  context: CoderContext,
  workspace: WorkspaceIdentity,
  signal: AbortSignal,
): Promise<WorkspaceState> {
  try {
    const readiness = planReadiness(await look(context, workspace, signal), context.agentName);
    return readiness.type === "ready" || readiness.type === "waiting" ? "running" : "ended";
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OperationalError)) throw error;
    return FINAL_REFUSALS.has(error.code) ? "ended" : "unknown";
  }
}

const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  "WORKSPACE_LOST",
  "CODER_LOGGED_OUT",
  "CODER_FORBIDDEN",
]);

/**
 * Returns the result of `sshExec` under the exchange policy. An exchange without its own signal is limited by the signal of its
 * Triage Run.
 */
export async function patientExec(
  transport: SshTransport,
  connection: WorkspaceConnection,
  runSignal: AbortSignal,
  commandLine: string,
  options: ExecOptions,
): Promise<ExecResult> {
  const signal = options.signal ?? runSignal;
  for (let repeat = 1; ; repeat += 1) {
    const result = await sshExec(transport, commandLine, options);
    if (result.type !== "transport-lost") return result;
    try {
      if (!(await connection.mayRepeat(repeat, signal))) return result;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (runSignal.aborted) return result;
      throw error;
    }
  }
}
