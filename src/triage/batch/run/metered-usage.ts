import { messageOf } from "agent-tty/kit";
import type { MeterQuestion } from "../../../workspaces/index.ts";
import type { Usage } from "../../triage-agent.ts";
import type { BatchContext } from "../batch-context.ts";

/**
 * The dollars that a gateway counted, where the Triage Agent tells none itself (`mode: tui`). What cannot be read costs the
 * figure and a warning, never the Triage Run. It waits for no stop: what was paid for is paid for.
 */
export async function meteredUsage(
  { usage, ...question }: MeterQuestion & { usage: Usage },
  { ports }: Pick<BatchContext, "ports">,
): Promise<Usage> {
  const { modelMeter, observe } = ports;
  const hasTokens = usage.inputTokens + usage.outputTokens > 0;
  if (modelMeter === null || usage.usd > 0 || (!hasTokens && question.sessions.length === 0)) return usage;
  try {
    const read = await modelMeter.read(question, new AbortController().signal);
    const { inputTokens, outputTokens, usd } = read;
    if (usd === null)
      observe({
        type: "warning",
        message: "the AI Gateway has no price for the model: its cost counts as 0",
      });
    return hasTokens ? { ...usage, usd: usd ?? 0 } : { inputTokens, outputTokens, usd: usd ?? 0 };
  } catch (error) {
    const message = `what the model cost was not read back, and counts as 0: ${messageOf(error)}`;
    observe({ type: "warning", message });
    return usage;
  }
}
