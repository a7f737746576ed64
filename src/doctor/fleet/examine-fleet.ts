import type { AppExaminer, AppFacts } from "../../github/index.ts";
import { type Answer, ask, askAfter, type Asking, judge } from "../answer.ts";
import { type DoctorCheck, ok, skip } from "../doctor-check.ts";
import type { FleetFacts, FleetProbes } from "./fleet-probes.ts";
import { judgeFleetApp, judgeFleetInstallations } from "./judge-fleet-app.ts";
import { judgeFleetClock, judgeFleetDatabase } from "./judge-fleet-database.ts";
import { judgeFleetQuota } from "./judge-fleet-quota.ts";
import { judgeFleetWebhook } from "./judge-fleet-webhook.ts";

const DATABASE_LIMIT_MS = 15_000;
const NETWORK_LIMIT_MS = 20_000;

/**
 * Returns the checks of what a fleet needs in addition to a Triage Batch: database, GitHub App, webhook, Coder quota and clocks.
 */
export async function examineFleet(
  facts: FleetFacts,
  probes: FleetProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const [database, github, quota] = await Promise.all([
    examineDatabase(facts, probes, asking),
    examineApp(facts, probes, asking),
    examineQuota(facts, probes, asking),
  ]);
  const clock = judgeFleetClock({ github: github.skewMs, database: database.skewMs });
  return [database.check, ...github.checks, quota, clock];
}

async function examineDatabase(
  { connectionsOfWorker }: FleetFacts,
  { database: probe }: FleetProbes,
  asking: Asking,
): Promise<{ check: DoctorCheck; skewMs: number | null }> {
  const alone = "AFK_TRIAGE_DATABASE_URL is not set: one process works on a SQLite file of its home";
  if (probe === null) return { check: ok("fleet-database", alone), skewMs: null };
  const question = { what: "ask the database of the fleet", limitMs: DATABASE_LIMIT_MS };
  let skewMs: number | null = null;
  const answer = await ask(question, asking, async (signal) => {
    const found = await probe(signal);
    skewMs = asking.clock.nowMs() - found.nowMs;
    return found;
  });
  const check = judge("fleet-database", answer, (found) => judgeFleetDatabase(found, connectionsOfWorker));
  return { check, skewMs };
}

async function examineApp(
  { hasWebhookSecret: hasSecret }: FleetFacts,
  { app: connect }: FleetProbes,
  asking: Asking,
): Promise<{ checks: DoctorCheck[]; skewMs: number | null }> {
  const names = ["fleet-app", "fleet-installations", "fleet-webhook"] as const;
  const byToken = "not checked: signed in with a token, not as a GitHub App";
  if (connect === null) return { checks: names.map((name) => skip(name, byToken)), skewMs: null };
  const network = (what: string) => ({ what, limitMs: NETWORK_LIMIT_MS });
  let skewMs: number | null = null;
  const app = await ask(network("read the GitHub App"), asking, async (signal) => {
    const found = await connect().app(signal);
    skewMs = found.serverTimeMs === null ? null : asking.clock.nowMs() - found.serverTimeMs;
    return found;
  });
  const after = <Value>(
    what: string,
    probe: (examiner: AppExaminer, signal: AbortSignal) => Promise<Value>,
  ) =>
    askAfter<AppFacts, Value>(app, "fleet-app", () =>
      ask(network(what), asking, (signal) => probe(connect(), signal)),
    );
  const grants = await after("list the installations of the App", (examiner, signal) =>
    examiner.grants(signal),
  );
  const webhook = await after("read the webhook of the App", async (examiner, signal) => {
    const url = await examiner.webhookUrl(signal);
    return { url, hasSecret, deliveries: url === null ? [] : await examiner.deliveries(signal) };
  });
  const checks = [
    judge("fleet-app", app, judgeFleetApp),
    judge("fleet-installations", both(app, grants), ([facts, found]) =>
      judgeFleetInstallations(facts, found),
    ),
    judge("fleet-webhook", webhook, judgeFleetWebhook),
  ];
  return { checks, skewMs };
}

function both<One, Other>(one: Answer<One>, other: Answer<Other>): Answer<[One, Other]> {
  if (one.type !== "answered") return { type: "not-asked", because: "it needs fleet-app" };
  return other.type === "answered" ? { type: "answered", value: [one.value, other.value] } : other;
}

async function examineQuota(
  { parallelism }: FleetFacts,
  { quota: probe }: FleetProbes,
  asking: Asking,
): Promise<DoctorCheck> {
  if (probe === null) return skip("fleet-quota", "not checked: the provider is not Coder");
  const question = { what: "read the quota of the Coder user", limitMs: NETWORK_LIMIT_MS };
  const answer = await ask(question, asking, probe);
  return judge("fleet-quota", answer, (quota) => judgeFleetQuota(quota, parallelism));
}
