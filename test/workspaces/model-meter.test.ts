import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { createModelMeter } from "../../src/workspaces/index.ts";
import { costOfSession, readSpend } from "../../src/workspaces/coder/gateway/spend-export.ts";
import { startCoderStandIn } from "../support/coder/index.ts";
import { AUDITOR_TOKEN } from "../support/coder/stand-in-gateway.ts";
import type { GatewaySessionRecord } from "../support/coder/stand-in-model.ts";
import { FAST_TIMINGS } from "../support/coder/connect.ts";

const signal = new AbortController().signal;
const SESSION = "7f3b0c52-0000-4000-8000-000000000001";

const record = (change: Partial<GatewaySessionRecord> = {}): GatewaySessionRecord => ({
  id: SESSION,
  userId: "the user of the model",
  model: "claude-opus-4-8",
  startedMs: Date.now(),
  tokens: { input: 1_000, output: 2_000, cacheRead: 30_000, cacheWrite: 4_000 },
  usdPerMillion: 5,
  ...change,
});

async function openMeter(token = AUDITOR_TOKEN) {
  const standIn = await startCoderStandIn();
  const meter = createModelMeter({
    url: standIn.url,
    token,
    organization: null,
    clock: systemClock,
    ids: systemIds(systemClock),
    timings: FAST_TIMINGS,
  });
  return { standIn, meter, [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose]() };
}

test("the meter returns only the tokens, dollars and denied requests of the run's own session (T9)", async () => {
  await using opened = await openMeter();
  const { standIn, meter } = opened;
  const startedAtMs = Date.now() - 1_000;
  // These are other runs of the same user, of another model and of another user in the same period.
  standIn.state.gatewaySessions.push(
    record({ blocked: 3 }),
    record({ id: "another", tokens: { input: 9_000, output: 1_000, cacheRead: 0, cacheWrite: 0 } }),
    record({ id: "haiku", model: "claude-haiku-4-5", usdPerMillion: 1 }),
    record({ id: "a person's", userId: "somebody else" }),
  );
  const read = await meter.read({ sessions: [SESSION], startedAtMs }, signal);
  expect(read).toMatchObject({ inputTokens: 35_000, outputTokens: 2_000, deniedRequests: 3 });
  // 1,000 + 5 × 2,000 + 0.1 × 30,000 + 1.25 × 4,000 input tokens at 5 dollars per million.
  expect(read.usd).toBeCloseTo(0.095, 6);
});

test("a session that began before the run counts as another run's, whatever the Coder workspace reports (T9)", async () => {
  await using opened = await openMeter();
  opened.standIn.state.gatewaySessions.push(record({ startedMs: Date.now() - 3_600_000 }));
  const question = { sessions: [SESSION, "x user:admin", "x".repeat(200)], startedAtMs: Date.now() };
  await expect(opened.meter.read(question, signal)).rejects.toThrow(/knows none of the sessions/);
  const asked = opened.standIn.requests.filter(({ line }) => line.includes("sessions"));
  expect(asked.every(({ line }) => line.includes(`session_id%3A${SESSION}`))).toBe(true);
});

test("a model without a list price reports null dollars and its tokens (T9)", async () => {
  await using opened = await openMeter();
  opened.standIn.state.gatewaySessions.push(record({ usdPerMillion: 0 }));
  const read = await opened.meter.read({ sessions: [SESSION], startedAtMs: Date.now() - 1_000 }, signal);
  expect(read).toMatchObject({ outputTokens: 2_000, usd: null });
});

test("a token that may not read the usage is refused with a remedy and appears in no message (T9)", async () => {
  await using opened = await openMeter("token-of-a-member-0123456789");
  opened.standIn.state.gatewaySessions.push(record());
  const failure = await opened.meter
    .read({ sessions: [SESSION], startedAtMs: Date.now() - 1_000 }, signal)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "CODER_FORBIDDEN" });
  expect(String(failure)).not.toContain("token-of-a-member");
});

test("an export without the required columns returns no dollars, and a quoted field is read as one field", () => {
  expect(readSpend("user_id,model\nu,m\n")).toBeNull();
  expect(readSpend("")).toBeNull();
  const csv = 'username,user_id,model,input_tokens,output_tokens,cost_usd\n"a ""b"", c",u,m,10,2,0.5\n\n';
  const rows = readSpend(csv) ?? [];
  expect(rows).toEqual([
    { userId: "u", model: "m", usd: 0.5, input: 10, output: 2, cacheRead: 0, cacheWrite: 0 },
  ]);
  const usage = {
    input_tokens: 5,
    output_tokens: 1,
    cache_read_input_tokens: 0,
    cache_write_input_tokens: 0,
  };
  const session = {
    id: "s",
    initiator: { id: "u" },
    models: ["m"],
    started_at: "",
    token_usage_summary: usage,
  };
  expect(costOfSession(session, rows)).toBeCloseTo(0.25, 9);
  expect(costOfSession({ ...session, models: ["other"] }, rows)).toBeNull();
});
