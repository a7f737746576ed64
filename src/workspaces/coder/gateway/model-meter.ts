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
  /**
   * The token of a Coder user with the role auditor, who may read the usage of others. Only the requests of this meter send it.
   */
  token: string;
  /** The organization's name or id; null: the deployment's default organization. */
  organization: string | null;
  clock: Clock;
  ids: Ids;
  onExchange?: (exchange: Exchange) => void;
  fetch?: typeof globalThis.fetch;
  timings?: Partial<CoderTimings>;
}

/** How long the usage is waited for, in milliseconds: the gateway records it only after the answer. */
const LIMIT_MS = 30_000;
const LOOKS = 3;
/** A session that began this long before its run, in milliseconds, may still belong to it, because the clocks may differ. */
const CLOCK_SKEW_MS = 5 * 60_000;
const MOST_SESSIONS = 20;
/**
 * The form of a session id; Claude Code's ids are UUIDs. The id is reported from inside a Coder workspace and becomes part of a
 * search.
 */
const SESSION_ID = /^[0-9a-zA-Z-]{1,64}$/;

/** Creates the meter that reads the usage recorded by Coder's AI Gateway (Coder 2.36). */
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

/** Returns the reading. Pure. */
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

/** Returns the sessions. They are read again while the gateway does not know any of them. */
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
    message: `Tried to read what the model cost; the AI Gateway knows none of the sessions ${known.join(", ") || "that were reported"}`,
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
  // Coder before 2.36 has no spend export; the tokens are still useful.
  if (answer.status === 404) return [];
  if (answer.status !== 200) throw unexpectedAnswer(attempted, answer);
  return readSpend(answer.text) ?? [];
}
