import { z } from "zod";
import { parseJson } from "agent-tty/kit";
import { addUsage, noUsage, type Usage } from "../triage-agent.ts";

/** The facts about a run from `--output-format stream-json`. */
export interface ClaudeCodeReport {
  usage: Usage;
  /** The error that ended the run, in Claude Code's words; null when the run ended without an error or without a result. */
  problem: string | null;
  /** The ids of Claude Code's own sessions, which it sends to its model with each request. */
  modelSessions: readonly string[];
  /** Whether Claude Code used its model but did not reach the result line, which reports the cost. */
  isCostMissing: boolean;
}

const count = z.number().nonnegative().catch(0);
const usage = z
  .looseObject({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  })
  .catch({
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 0,
  });

/** The schemas are loose on purpose: every version adds fields and line types, which must not lose the outcome. */
const session = z.string().max(64).nullish().catch(null);
const line = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("assistant"),
    session_id: session,
    sessionId: session,
    message: z.looseObject({ id: z.string(), usage }),
  }),
  z.looseObject({
    type: z.literal("result"),
    session_id: session,
    sessionId: session,
    subtype: z.string().catch("unknown"),
    is_error: z.boolean().catch(false),
    result: z.string().nullable().catch(null),
    total_cost_usd: count,
    usage,
  }),
]);
type ResultLine = Extract<z.infer<typeof line>, { type: "result" }>;

const PROBLEM_MAX_CHARACTERS = 500;

/** Returns the report in the stream. Lines that are not JSON (a cut first line, a warning) or of another type are ignored. */
export function readClaudeCodeStream(text: string): ClaudeCodeReport {
  const lines = text.split("\n").flatMap((raw) => {
    const parsed = line.safeParse(parseJson(raw));
    return parsed.success ? [parsed.data] : [];
  });
  // The stream has `session_id`, the transcript has `sessionId`.
  const modelSessions = [...new Set(lines.flatMap((one) => one.session_id ?? one.sessionId ?? []))];
  const result = lines.findLast((one) => one.type === "result");
  if (result !== undefined)
    return {
      usage: usageOf(result.usage, result.total_cost_usd),
      problem: problemOf(result),
      modelSessions,
      isCostMissing: false,
    };
  // The run stopped before its result. One message may take several lines, each of which repeats the usage of the whole message.
  const messages = new Map(
    lines.flatMap((one) => (one.type === "assistant" ? [[one.message.id, one.message.usage] as const] : [])),
  );
  return {
    usage: [...messages.values()].map((one) => usageOf(one, 0)).reduce(addUsage, noUsage),
    problem: null,
    modelSessions,
    isCostMissing: messages.size > 0,
  };
}

function usageOf(tokens: z.infer<typeof usage>, usd: number): Usage {
  return {
    inputTokens: tokens.input_tokens + tokens.cache_creation_input_tokens + tokens.cache_read_input_tokens,
    outputTokens: tokens.output_tokens,
    usd,
  };
}

/**
 * Returns the problem that the result line reports, or null. An API error has `subtype` success and `is_error` true; a turn or
 * cost limit has a subtype that starts with error.
 */
function problemOf({ subtype, is_error: isError, result }: ResultLine): string | null {
  if (!isError && subtype === "success") return null;
  const reason = result ?? subtype;
  return (subtype === "success" ? reason : `${subtype}: ${reason}`).slice(0, PROBLEM_MAX_CHARACTERS);
}
