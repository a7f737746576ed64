import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shellQuote } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { createCommandAgent, type IssueSummary, type TriageAgent } from "../../../src/triage/index.ts";
import type { CoderProviderOptions } from "../../../src/workspaces/index.ts";
import { AGENTS, openBatchStage } from "../../support/batch/batch-stage.ts";
import { connect, HAS_TMUX, startCoderStandIn, terminalRelay } from "../../support/coder/index.ts";

// The tests do many real Triage Runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 900_000, maxConcurrency: 2 });

/** How one `coder ssh` connection of a Triage Run is lost. */
type Loss = "dropped" | "agent is shutting down" | "hanging";

const MULTIPLEXERS = HAS_TMUX ? (["tmux", "none"] as const) : (["none"] as const);
const LOSSES: readonly Loss[] = ["dropped", "agent is shutting down", "hanging"];

/** The exchanges that one Triage Run loses, counted from 1: a repeat has the number of the exchange that it repeats. */
type Losses = ReadonlyMap<number, Loss>;

/**
 * By default each Triage Run loses six exchanges, two in each way, and every exchange is lost in one of the Triage Runs. Between
 * two losses of a Triage Run there are as many exchanges as there are Triage Runs.
 */
function sixLossesEach(exchanges: number): Losses[] {
  const perRun = 2 * LOSSES.length;
  const runs = Math.ceil(exchanges / perRun);
  return Array.from({ length: runs }, (_, run) => {
    const losses = [...LOSSES, ...LOSSES].map((loss, index): [number, Loss] => [
      ((index + run) % perRun) * runs + run + 1,
      loss,
    ]);
    return new Map(losses);
  });
}

/** `npm run test:laws` loses each exchange in all three ways, with a Triage Run for each. */
const PLANS: readonly (readonly [name: string, losses: (exchanges: number) => Losses[]])[] =
  process.env["AFK_TEST_RUNS"] === "all"
    ? LOSSES.map((loss) => [
        loss,
        (exchanges) => Array.from({ length: exchanges }, (_, index) => new Map([[index + 1, loss]])),
      ])
    : [["six in each run", sixLossesEach]];

test.concurrent.each(
  MULTIPLEXERS.flatMap((multiplexer) => PLANS.map(([name, plan]) => [multiplexer, name, plan] as const)),
)(
  "the loss of one exchange with either Coder workspace of a Triage Run (multiplexer %s, %s) costs neither a second Triage Agent nor the outcome (T9, T12, coder failure 16, coder failure 17)",
  async (multiplexer, _name, plan) => {
    const healthy = await healthyRun(multiplexer);
    expect(healthy.issue).toMatchObject({ status: "applied", outcome: "ready-for-agent" });
    // There are at least these: the shell's probe, the run's directory, the control file, the terminal, the script.
    expect(healthy.places.filter((place) => place === "second").length).toBeGreaterThanOrEqual(5);
    const losses = plan(healthy.places.length);
    const { seen, starts, left } = await runWithLosses(multiplexer, losses);
    for (const one of seen)
      expect(one).toMatchObject({ issue: { status: "applied", outcome: "ready-for-agent", error: null } });
    // Each issue has an outcome, so each Triage Agent was started once.
    expect(starts).toBe(losses.length);
    expect(left).toEqual([]);
    const lost = seen.flatMap((run) => run.lost);
    expect(new Set(lost.map(({ place }) => place))).toEqual(new Set(["lock", "second"]));
    // The number of exchanges in a Triage Run also depends on the random order of its reproduction's runs. The plan is made for
    // the exchanges of the healthy run, so a Triage Run with more exchanges loses none of the additional ones.
    const shortest = Math.min(...seen.map(({ places, lost: own }) => places.length - own.length));
    const all = Math.min(shortest, healthy.places.length);
    expect(new Set(lost.map(({ exchange }) => exchange)).size).toBeGreaterThanOrEqual(all);
  },
);

const healthyRuns = new Map<Multiplexer, Promise<Seen>>();

/** Returns a Triage Run without a loss, which runs once for each multiplexer. */
function healthyRun(multiplexer: Multiplexer): Promise<Seen> {
  const made = healthyRuns.get(multiplexer) ?? runHealthy(multiplexer);
  healthyRuns.set(multiplexer, made);
  return made;
}

async function runHealthy(multiplexer: Multiplexer): Promise<Seen> {
  const { seen, starts } = await runWithLosses(multiplexer, [new Map()]);
  const [only] = seen;
  if (only === undefined || starts !== 1) throw new Error(`${starts} Triage Agents, not one, were started`);
  return only;
}

type Multiplexer = "tmux" | "none";
type Place = "lock" | "second";

interface Seen {
  lost: { exchange: number; place: Place }[];
  issue: IssueSummary | undefined;
  /**
   * Every `coder ssh` connection of the Triage Run, in order: to the Triage Agent's Coder workspace or to that of the verification.
   */
  places: Place[];
}

/** Runs one Triage Batch with an issue for each member of `losses`. */
async function runWithLosses(
  multiplexer: Multiplexer,
  losses: readonly Losses[],
): Promise<{ seen: Seen[]; starts: number; left: string[] }> {
  await using batch = await openBatchStage();
  await using standIn = await startCoderStandIn();
  const runs = new Map<number, { losses: Losses } & Pick<Seen, "lost" | "places">>();
  for (const [index, planned] of losses.entries()) {
    // The titles have no word in common, so that the issues are not likely duplicates of each other.
    const title = createHash("sha256").update(String(index)).digest("hex").slice(0, 16);
    const { number } = await batch.github.createIssue({ title, labels: ["needs-triage"] });
    runs.set(number, { losses: planned, lost: [], places: [] });
  }
  standIn.onSsh = (name) => {
    const [, number, suffix] = /-(\d+)(-v)?$/.exec(name) ?? [];
    const run = runs.get(Number(number));
    if (run === undefined) throw new Error(`the Coder workspace ${name} belongs to no issue`);
    const place = suffix === undefined ? "lock" : "second";
    run.places.push(place);
    const exchange = run.places.length - run.lost.length;
    const loss = run.losses.get(exchange);
    if (loss === undefined || run.lost.some((one) => one.exchange === exchange)) return null;
    run.lost.push({ exchange, place });
    return loss;
  };
  const options: Partial<CoderProviderOptions> = {
    // A slow machine takes seconds to connect. Only the hanging connections wait this long.
    timings: { connectTimeoutMs: 6_000, shellTimeoutMs: 20_000 },
    terminalLimits: { silenceMs: 6_000 },
    ...(multiplexer === "tmux" ? { terminalRelay: terminalRelay() } : {}),
  };
  const starts = join(batch.directory, "starts");
  const summary = await batch.run({
    settings: {
      runDeadlineMs: 600_000,
      reproduction: { place: "fresh", runs: 1, timeoutMs: 60_000, rangeMs: null },
    },
    ports: { triageAgent: countedAgent(starts), provider: connect(standIn, options) },
  });
  const seen = [...runs].map(([number, { lost, places }]): Seen => ({
    lost,
    places,
    issue: summary.issues.find((issue) => issue.number === number),
  }));
  const started = await readFile(starts, "utf8").catch(() => "");
  return { seen, starts: started.split("\n").length - 1, left: standIn.liveNames() };
}

/**
 * A Triage Agent that leaves a line in `starts` and a change in the checkout, and proposes a bug with a reproduction, which the
 * parent then runs.
 */
function countedAgent(starts: string): TriageAgent {
  const agent = [process.execPath, join(AGENTS, "honest.mjs")].map(shellQuote).join(" ");
  const command = `echo $$ >>${shellQuote(starts)}; echo changed >changed.txt; exec ${agent}`;
  return createCommandAgent({ command: ["bash", "-c", command], environment: {} });
}
