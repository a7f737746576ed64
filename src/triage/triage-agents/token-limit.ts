import type { Clock } from "agent-tty/kit";
import type { TriageAgentContext, Usage } from "../triage-agent.ts";

/** How many tokens, input and output together, one Triage Run may use (T9). The usage is checked every `intervalMs`. */
export interface TokenLimit {
  tokens: number;
  intervalMs: number;
  clock: Clock;
}

export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/**
 * Returns the result of `work`, and checks its usage in the meantime. Above the limit, its signal aborts, and it stops the Triage
 * Agent as on any other abort. A failed check is repeated later, because an unknown usage is no reason to stop.
 */
export async function underTokenLimit<T>(
  limit: TokenLimit | null,
  context: TriageAgentContext,
  readUsage: () => Promise<Usage>,
  work: (context: TriageAgentContext) => Promise<T>,
): Promise<{ type: "ended"; result: T } | { type: "over-budget" }> {
  if (limit === null) return { type: "ended", result: await work(context) };
  const spent = new AbortController();
  let timer: Disposable | undefined;
  const isWatching = (): boolean => !spent.signal.aborted && !context.signal.aborted;
  const look = async (): Promise<void> => {
    const usage = await readUsage().catch(() => null);
    if (usage !== null && tokensOf(usage) > limit.tokens)
      spent.abort(new Error("the token budget of the Triage Run is spent"));
    else if (timer !== undefined && isWatching()) lookLater();
  };
  const lookLater = (): void => {
    timer = limit.clock.schedule(limit.intervalMs, () => void look());
  };
  lookLater();
  try {
    const signal = AbortSignal.any([context.signal, spent.signal]);
    return { type: "ended", result: await work({ ...context, signal }) };
  } catch (error) {
    if (spent.signal.aborted && !context.signal.aborted) return { type: "over-budget" };
    throw error;
  } finally {
    timer?.[Symbol.dispose]();
    timer = undefined;
  }
}
