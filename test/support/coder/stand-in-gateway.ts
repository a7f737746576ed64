import type { GatewaySessionRecord, StandInState } from "./stand-in-model.ts";
import { type Call, failure, type Reply } from "./stand-in-call.ts";

export const AUDITOR_TOKEN = "token-of-an-auditor-0123456789";

/** Answers a request for the AI Gateway's data by an auditor (coder/coder 2.36). Other users get 403. */
export function answerGateway(state: StandInState, { path, query }: Call): Reply {
  if (path === "/ai-gateway/sessions") return sessions(state, query);
  if (/^\/organizations\/default\/ai\/spend\/export$/.test(path)) return spend(state, query);
  return failure(404, "Route not found.");
}

export function isGatewayPath(path: string): boolean {
  return path.startsWith("/ai-gateway/") || path.includes("/ai/spend/");
}

function sessions({ gatewaySessions }: StandInState, query: URLSearchParams): Reply {
  const wanted = /^session_id:(\S+)$/.exec(query.get("q") ?? "")?.[1];
  if (wanted === undefined) return failure(400, "Invalid session search query.");
  const found = gatewaySessions.filter(({ id }) => id === wanted);
  return {
    status: 200,
    body: {
      count: found.length,
      sessions: found.map(({ id, userId, model, startedMs, tokens, blocked }) => ({
        id,
        client: "claude-code",
        initiator: { id: userId, username: "afk-triage-model" },
        models: [model],
        providers: ["anthropic"],
        started_at: new Date(startedMs).toISOString(),
        threads: 1,
        token_usage_summary: {
          input_tokens: tokens.input,
          output_tokens: tokens.output,
          cache_read_input_tokens: tokens.cacheRead,
          cache_write_input_tokens: tokens.cacheWrite,
        },
        network_calls: blocked === undefined ? null : { total: blocked + 5, blocked },
        last_prompt: "text of an issue, which nobody reads back",
      })),
    },
  };
}

/** Returns one line per user and model, with the sums of the real export; a user name may contain a comma. */
function spend({ gatewaySessions }: StandInState, query: URLSearchParams): Reply {
  const [from, to] = [Date.parse(query.get("period_start") ?? ""), Date.parse(query.get("period_end") ?? "")];
  if (!(from < to) || to - from > 31 * 24 * 3_600_000) return failure(400, "Invalid period.");
  const groups = new Map<string, GatewaySessionRecord[]>();
  for (const session of gatewaySessions.filter(({ startedMs }) => startedMs >= from && startedMs < to)) {
    const key = `${session.userId} ${session.model}`;
    groups.set(key, [...(groups.get(key) ?? []), session]);
  }
  const lines = [...groups.values()].map((group) => {
    const sum = (kind: keyof GatewaySessionRecord["tokens"]): number =>
      group.reduce((total, { tokens }) => total + tokens[kind], 0);
    const micros = group.reduce((total, session) => total + microsOf(session), 0);
    const [{ userId, model } = { userId: "", model: "" }] = group;
    const tokens = [sum("input"), sum("output"), sum("cacheRead"), sum("cacheWrite")];
    return [userId, '"Triage, Model"', "Everyone", "anthropic", model, ...tokens, micros].join(",");
  });
  const header =
    "user_id,username,group_name,provider,model,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,spend_micros";
  return { status: 200, text: `${[header, ...lines].join("\r\n")}\r\n` };
}

function microsOf({ tokens, usdPerMillion }: GatewaySessionRecord): number {
  const { input, output, cacheRead, cacheWrite } = tokens;
  return Math.round((input + 5 * output + 0.1 * cacheRead + 1.25 * cacheWrite) * usdPerMillion);
}
