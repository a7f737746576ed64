import { type Clock, type Exchange, type Ids, observedFetch, startDeadline } from "agent-tty/kit";
import type { MeterQuestion, MeterReading, ModelMeter } from "../../model-meter.ts";
import { type CoderAnswer, expectBody, unexpectedAnswer } from "../coder-answer.ts";
import { type CoderHttp, createCoderHttp } from "../coder-http.ts";
import { createSessionToken } from "../session-token.ts";
import { type CoderTimings, DEFAULT_TIMINGS } from "../timings.ts";
import { workspaceError } from "../workspace-error.ts";
import { type GatewaySession, sessionsSchema } from "./gateway-schemas.ts";
import { costOfSession, readSpend, type SpendRow } from "./spend-export.ts";

interface ModelMeterOptions {
  url: string;
  /** The token of a Coder user with the role auditor, who may read what others use. Only these requests carry it. */
  token: string;
  /** Name or id; null: the deployment's default organization. */
  organization: string | null;
  clock: Clock;
  ids: Ids;
  onExchange?: (exchange: Exchange) => void;
  fetch?: typeof globalThis.fetch;
  timings?: Partial<CoderTimings>;
}

/** The gateway writes down what it counted after the answer. In milliseconds. */
const LIMIT_MS = 30_000;
const LOOKS = 3;
/** A session that began so much before its run, by another clock, may still be its own. */
const CLOCK_SKEW_MS = 5 * 60_000;
const MOST_SESSIONS = 20;
/** Claude Code's are UUIDs. What is told from inside a Coder workspace becomes part of a search. */
const SESSION_ID = /^[0-9a-zA-Z-]{1,64}$/;

/** Reads what Coder's AI Gateway counted (Coder 2.36). */
export function createModelMeter(options: ModelMeterOptions): ModelMeter {
  const { url, clock, ids, onExchange = () => undefined } = options;
  const token = createSessionToken(options.token, { type: "environment" }, { clock, inherited: {} });
  const fetch = observedFetch(options.fetch ?? globalThis.fetch, "coder", clock, onExchange);
  const timings = { ...DEFAULT_TIMINGS, ...options.timings, retryForMs: 10_000 };
  const http = createCoderHttp({ url, token, fetch, clock, ids, timings });
  return {
    read: async (question, signal) => {
      using deadline = startDeadline(clock, "reading the AI Gateway", LIMIT_MS, signal);
      const found = await patientSessions(
        http,
        question,
        { clock, pauseMs: timings.settleMs },
        deadline.signal,
      );
      const rows = await spendOf(http, options.organization, question.startedAtMs, clock, deadline.signal);
      return readingOf(found, rows);
    },
  };
}

/** Pure. */
function readingOf(sessions: readonly GatewaySession[], rows: readonly SpendRow[]): MeterReading {
  const sum = (of: (session: GatewaySession) => number): number =>
    sessions.reduce((total, session) => total + of(session), 0);
  const costs = sessions.map((session) => costOfSession(session, rows));
  const priced = costs.filter((usd) => usd !== null);
  return {
    inputTokens: sum(
      ({ token_usage_summary: usage }) =>
        usage.input_tokens + usage.cache_read_input_tokens + usage.cache_write_input_tokens,
    ),
    outputTokens: sum(({ token_usage_summary: usage }) => usage.output_tokens),
    usd: priced.length === 0 ? null : priced.reduce((total, usd) => total + usd, 0),
    deniedRequests: sum(({ network_calls: calls }) => calls?.blocked ?? 0),
  };
}

/** Asks again while the gateway knows none of them. */
async function patientSessions(
  http: CoderHttp,
  { sessions, startedAtMs }: MeterQuestion,
  { clock, pauseMs }: { clock: Clock; pauseMs: number },
  signal: AbortSignal,
): Promise<GatewaySession[]> {
  const known = [...new Set(sessions)].filter((id) => SESSION_ID.test(id)).slice(0, MOST_SESSIONS);
  for (let look = 1; look <= LOOKS && known.length > 0; look += 1) {
    if (look > 1) await clock.sleep(pauseMs, signal);
    const found: GatewaySession[] = [];
    for (const id of known) found.push(...(await sessionsOf(http, id, signal)));
    const own = found.filter(({ started_at }) => Date.parse(started_at) >= startedAtMs - CLOCK_SKEW_MS);
    if (own.length > 0) return own;
  }
  throw workspaceError({
    code: "CODER_UNEXPECTED_ANSWER",
    message: `Tried to read what the model cost; the AI Gateway knows none of the sessions ${known.join(", ") || "that were told"}`,
    remedy: "Check that ANTHROPIC_BASE_URL of the Coder template is the gateway, and that it keeps sessions.",
  });
}

async function sessionsOf(http: CoderHttp, id: string, signal: AbortSignal): Promise<GatewaySession[]> {
  const attempted = "read a session of the AI Gateway";
  const query = { q: `session_id:${id}`, limit: "5" };
  const answer = await http.send({ method: "GET", path: "/ai-gateway/sessions", query, attempted }, signal);
  return expectBody(sessionsSchema, attempted, answer).sessions.filter((session) => session.id === id);
}

async function spendOf(
  http: CoderHttp,
  organization: string | null,
  startedAtMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<SpendRow[]> {
  const attempted = "read what the model cost";
  const path = `/organizations/${encodeURIComponent(organization ?? "default")}/ai/spend/export`;
  const query = {
    period_start: new Date(startedAtMs - CLOCK_SKEW_MS).toISOString(),
    period_end: new Date(clock.nowMs() + CLOCK_SKEW_MS).toISOString(),
  };
  const answer: CoderAnswer = await http.send({ method: "GET", path, query, attempted }, signal);
  // Coder before 2.36 has no spend: the tokens are worth having.
  if (answer.status === 404) return [];
  if (answer.status !== 200) throw unexpectedAnswer(attempted, answer);
  return readSpend(answer.text) ?? [];
}
