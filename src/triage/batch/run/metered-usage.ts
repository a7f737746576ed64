import { messageOf } from "agent-tty/kit";
import type { MeterQuestion } from "../../../workspaces/index.ts";
import type { Usage } from "../../triage-agent.ts";
import type { BatchContext } from "../batch-context.ts";

export interface Metered {
  usage: Usage;
  /** By the deployment's own count. */
  deniedRequests: number;
}

/**
 * Records what a gateway counted: the dollars, where the Triage Agent tells none itself (`mode: tui`), and the requests that an Agent
 * Firewall denied. What cannot be read costs the figure and a warning, never the Triage Run. It waits for no stop: what was
 * paid for is paid for.
 */
export async function meteredUsage(
  { usage, ...question }: MeterQuestion & { usage: Usage },
  { ports, settings }: Pick<BatchContext, "ports" | "settings">,
): Promise<Metered> {
  const { modelMeter, observe } = ports;
  const told = { usage, deniedRequests: 0 };
  const isAsked = usage.usd === 0 || settings.firewallLog !== null;
  if (modelMeter === null || !isAsked || question.sessions.length === 0) return told;
  try {
    const { deniedRequests, ...read } = await modelMeter.read(question, new AbortController().signal);
    if (usage.usd > 0) return { usage, deniedRequests };
    if (read.usd === null)
      observe({
        type: "warning",
        message: "the AI Gateway has no price for the model: its cost counts as 0",
      });
    const { inputTokens, outputTokens } = usage.inputTokens + usage.outputTokens > 0 ? usage : read;
    return { usage: { inputTokens, outputTokens, usd: read.usd ?? 0 }, deniedRequests };
  } catch (error) {
    const message = `what the AI Gateway counted was not read back, and a cost counts as 0: ${messageOf(error)}`;
    observe({ type: "warning", message });
    return told;
  }
}
