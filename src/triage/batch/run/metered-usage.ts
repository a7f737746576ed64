import { messageOf } from "agent-tty/kit";
import { addUsage, noUsage, type ToldUsage, type Usage } from "../../triage-agent.ts";
import type { BatchContext, BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";

export interface Metered {
  usage: Usage;
  /** The number of denied requests that the deployment itself counted. */
  deniedRequests: number;
}

/** The sum of what the attempts of one Triage Run have used. */
export interface Spent {
  usage: Usage;
  modelSessions: readonly string[];
  /** Attempts that were ended before they told their cost. */
  missingCosts: number;
}

export const nothingSpent: Spent = { usage: noUsage, modelSessions: [], missingCosts: 0 };

/** Returns the sum of `spent` and a further attempt. */
export function addTold(
  spent: Spent,
  { usage, modelSessions = [], isCostMissing = false }: ToldUsage,
): Spent {
  return {
    usage: addUsage(spent.usage, usage),
    modelSessions: [...spent.modelSessions, ...modelSessions],
    missingCosts: spent.missingCosts + (isCostMissing ? 1 : 0),
  };
}

/**
 * Returns the usage of a Triage Run with what a gateway counted: the dollars, if the Triage Agent itself reports none (`mode:
 * tui`), and the requests that an Agent Firewall denied. If the counts cannot be read, they are missing and a warning is
 * reported, but the Triage Run does not fail. A stop does not interrupt the read, because the money has been spent anyway. If
 * nobody reports the cost of an attempt, the most that an attempt may cost is added, so that budgets hold. `startedAtMs`: the
 * start of the first attempt, in epoch milliseconds.
 */
export async function meteredUsage(
  spent: Spent,
  startedAtMs: number,
  { ports, settings }: Pick<BatchContext, "ports" | "settings">,
  signal: AbortSignal = new AbortController().signal,
): Promise<Metered> {
  const { modelMeter, observe } = ports;
  const { usage, modelSessions: sessions, missingCosts } = spent;
  const isTold = usage.usd > 0 && missingCosts === 0;
  const told = (): Metered => ({ usage: withMissingCosts(spent, settings, observe), deniedRequests: 0 });
  const isAsked = !isTold || settings.firewallLog !== null;
  if (modelMeter === null || !isAsked || sessions.length === 0) return told();
  try {
    const question = { sessions, startedAtMs };
    const { deniedRequests, ...read } = await modelMeter.read(question, signal);
    if (isTold) return { usage, deniedRequests };
    if (read.usd === null && missingCosts > 0) return { ...told(), deniedRequests };
    if (read.usd === null)
      observe({
        type: "warning",
        message: "the AI Gateway has no price for the model: its cost counts as 0",
      });
    const { inputTokens, outputTokens } = usage.inputTokens + usage.outputTokens > 0 ? usage : read;
    return { usage: { inputTokens, outputTokens, usd: read.usd ?? 0 }, deniedRequests };
  } catch (error) {
    const message = `what the AI Gateway counted was not read back${missingCosts > 0 ? "" : ", and a cost counts as 0"}: ${messageOf(error)}`;
    observe({ type: "warning", message });
    return told();
  }
}

function withMissingCosts(
  { usage, missingCosts }: Spent,
  { budget }: Pick<BatchSettings, "budget">,
  observe: BatchPorts["observe"],
): Usage {
  if (missingCosts === 0) return usage;
  const atMost = budget.runUsd ?? 0;
  const counted = budget.runUsd === null ? "0, since budget.runUsd is not set" : `budget.runUsd, $${atMost}`;
  observe({
    type: "warning",
    message: `a Triage Agent was ended before it reported its cost, which counts as ${counted}`,
  });
  return { ...usage, usd: usage.usd + missingCosts * atMost };
}
