import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createCommandAgent, type IssueSummary, type TriageAgent } from "../../../src/triage/index.ts";
import { type CoderProviderOptions, shellQuote } from "../../../src/workspaces/index.ts";
import { AGENTS, openBatchStage } from "../../support/batch/batch-stage.ts";
import { connect, HAS_TMUX, startCoderStandIn, terminalRelay } from "../../support/coder/index.ts";

// A real Triage Run for each exchange, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000, maxConcurrency: 2 });

/** How `coder ssh` number `exchange` of a Triage Run (from 1) is lost. */
type Loss = "dropped" | "agent is shutting down" | "hanging";

/** Exchanges are counted from 1. */
const NONE = 0;

/** By default each exchange is lost in one way; `npm run test:laws` loses each in all three ways. */
const isEveryPlayed = process.env["AFK_TEST_RUNS"] === "all";

const MULTIPLEXERS = HAS_TMUX ? (["tmux", "none"] as const) : (["none"] as const);
const LOSSES: readonly Loss[] = ["dropped", "agent is shutting down", "hanging"];

test.concurrent.each(
  MULTIPLEXERS.flatMap((multiplexer) => LOSSES.map((loss) => [multiplexer, loss] as const)),
)(
  "each exchange with either Coder workspace of a Triage Run, lost once (multiplexer %s, %s), costs no second Triage Agent and no outcome (T9, T12, coder failure 16, coder failure 17)",
  async (multiplexer, loss) => {
    const healthy = await healthyRun(multiplexer);
    expect(healthy.issue).toMatchObject({ status: "applied", outcome: "ready-for-agent" });
    // The shell's probe, the run's directory, the control file, the terminal, the script: at least.
    expect(healthy.places.filter((place) => place === "second").length).toBeGreaterThanOrEqual(5);
    const exchanges = Array.from({ length: healthy.places.length }, (_, index) => index + 1).filter(
      (exchange) => isEveryPlayed || (exchange + LOSSES.indexOf(loss)) % LOSSES.length === 0,
    );
    const { seen, starts, left } = await runWithLosses(multiplexer, { exchanges, loss });
    // The healthy run may have needed an exchange more on a busy machine than this one.
    const lostIn = seen.flatMap(({ exchange, places }) => places.slice(exchange - 1, exchange));
    for (const one of seen)
      expect(one).toMatchObject({ issue: { status: "applied", outcome: "ready-for-agent", error: null } });
    // Each issue has an outcome, so each Triage Agent was started once.
    expect(starts).toBe(exchanges.length);
    expect(left).toEqual([]);
    expect(new Set(lostIn)).toEqual(new Set(["lock", "second"]));
  },
);

const healthyRuns = new Map<Multiplexer, Promise<Seen>>();

/** A Triage Run without a loss, made once for each multiplexer. */
function healthyRun(multiplexer: Multiplexer): Promise<Seen> {
  const made = healthyRuns.get(multiplexer) ?? runHealthy(multiplexer);
  healthyRuns.set(multiplexer, made);
  return made;
}

async function runHealthy(multiplexer: Multiplexer): Promise<Seen> {
  const { seen, starts } = await runWithLosses(multiplexer, { exchanges: [NONE], loss: "dropped" });
  const [only] = seen;
  if (only === undefined || starts !== 1) throw new Error(`${starts} Triage Agents, not one, were started`);
  return only;
}

type Multiplexer = "tmux" | "none";
type Place = "lock" | "second";

interface Seen {
  /** The exchange that is lost, or NONE. */
  exchange: number;
  issue: IssueSummary | undefined;
  /** Every `coder ssh` connection of the Triage Run, in order: to the Triage Agent's Coder workspace or to that of the verification. */
  places: Place[];
}

/** One Triage Batch with an issue for each exchange, whose Triage Run loses that exchange once. */
async function runWithLosses(
  multiplexer: Multiplexer,
  { exchanges, loss }: { exchanges: readonly number[]; loss: Loss },
): Promise<{ seen: Seen[]; starts: number; left: string[] }> {
  await using batch = await openBatchStage();
  await using standIn = await startCoderStandIn();
  const runs = new Map<number, { exchange: number; places: Place[] }>();
  for (const [index, exchange] of exchanges.entries()) {
    // Titles without a common word, so that the issues are not likely duplicates of each other.
    const title = createHash("sha256").update(String(index)).digest("hex").slice(0, 16);
    const { number } = await batch.github.createIssue({ title, labels: ["needs-triage"] });
    runs.set(number, { exchange, places: [] });
  }
  standIn.onSsh = (name) => {
    const [, number, suffix] = /-(\d+)(-v)?$/.exec(name) ?? [];
    const run = runs.get(Number(number));
    if (run === undefined) throw new Error(`the Coder workspace ${name} belongs to no issue`);
    run.places.push(suffix === undefined ? "lock" : "second");
    return run.places.length === run.exchange ? loss : null;
  };
  const options: Partial<CoderProviderOptions> = {
    timings: { connectTimeoutMs: 1_500, shellTimeoutMs: 4_000 },
    terminalLimits: { silenceMs: 1_500 },
    ...(multiplexer === "tmux" ? { terminalRelay: terminalRelay() } : {}),
  };
  const starts = join(batch.directory, "starts");
  const summary = await batch.run({
    settings: { reproduction: { place: "fresh", runs: 1, timeoutMs: 20_000, rangeMs: null } },
    ports: { triageAgent: countedAgent(starts), provider: connect(standIn, options) },
  });
  const seen = [...runs].map(([number, { exchange, places }]): Seen => ({
    exchange,
    places,
    issue: summary.issues.find((issue) => issue.number === number),
  }));
  const started = await readFile(starts, "utf8").catch(() => "");
  return { seen, starts: started.split("\n").length - 1, left: standIn.liveNames() };
}

/** Leaves a line in `starts` and a change in the checkout, and proposes a bug with a reproduction, which the parent then runs. */
function countedAgent(starts: string): TriageAgent {
  const agent = [process.execPath, join(AGENTS, "honest.mjs")].map(shellQuote).join(" ");
  const command = `echo $$ >>${shellQuote(starts)}; echo changed >changed.txt; exec ${agent}`;
  return createCommandAgent({ command: ["bash", "-c", command], environment: {} });
}
