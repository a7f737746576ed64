import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createCommandAgent, type IssueSummary, type TriageAgent } from "../../../src/triage/index.ts";
import { type CoderProviderOptions, shellQuote } from "../../../src/workspaces/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { connect, HAS_TMUX, startCoderStandIn, terminalRelay } from "../../support/coder/index.ts";
import { outcomeWith, reproduction } from "../facts.ts";

// A real batch for each exchange, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000, maxConcurrency: 2 });

/** How `coder ssh` number `exchange` of a Triage Run (from 1) is lost. */
type Loss = "dropped" | "agent is shutting down" | "hanging";

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
    expect(healthy).toMatchObject({ starts: 1, issue: { status: "applied", outcome: "ready-for-agent" } });
    // The shell's probe, the run's directory, the control file, the terminal, the script: at least.
    expect(healthy.places.filter((place) => place === "second").length).toBeGreaterThanOrEqual(5);
    const exchanges = Array.from({ length: healthy.places.length }, (_, index) => index + 1).filter(
      (exchange) => isEveryPlayed || (exchange + LOSSES.indexOf(loss)) % LOSSES.length === 0,
    );
    const { seen, left } = await runWithLosses(multiplexer, { exchanges, loss });
    // The healthy run may have needed an exchange more on a busy machine than this one.
    const lostIn = seen.flatMap(({ exchange, places }) =>
      exchange === null ? [] : places.slice(exchange - 1, exchange),
    );
    for (const one of seen)
      expect(one).toMatchObject({
        starts: 1,
        issue: { status: "applied", outcome: "ready-for-agent", error: null },
      });
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
  const { seen } = await runWithLosses(multiplexer, { exchanges: [null], loss: "dropped" });
  const [only] = seen;
  if (only === undefined) throw new Error("the batch had no issue");
  return only;
}

type Multiplexer = "tmux" | "none";
type Place = "lock" | "second";

interface Seen {
  /** The exchange that is lost; null: none. */
  exchange: number | null;
  issue: IssueSummary | undefined;
  /** How often the Triage Agent was started. */
  starts: number;
  /** Every `coder ssh` connection of the Triage Run, in order: to the Triage Agent's Coder workspace or to that of the verification. */
  places: Place[];
}

/** One Triage Batch with an issue for each exchange, whose Triage Run loses that exchange once. */
async function runWithLosses(
  multiplexer: Multiplexer,
  { exchanges, loss }: { exchanges: readonly (number | null)[]; loss: Loss },
): Promise<{ seen: Seen[]; left: string[] }> {
  await using batch = await openBatchStage();
  await using standIn = await startCoderStandIn();
  const runs = new Map<number, { exchange: number | null; places: Place[] }>();
  for (const [index, exchange] of exchanges.entries()) {
    // Titles without a common word: the issues are no likely duplicates of each other.
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
    ports: { triageAgent: provingAgent(starts), provider: connect(standIn, options) },
  });
  const started = (await readFile(starts, "utf8").catch(() => "")).split("\n");
  const seen = [...runs].map(([number, { exchange, places }]): Seen => ({
    exchange,
    places,
    issue: summary.issues.find((issue) => issue.number === number),
    starts: started.filter((line) => line === String(number)).length,
  }));
  return { seen, left: standIn.liveNames() };
}

/** Leaves a change in the checkout and a bug with a reproduction, which the parent then runs. */
function provingAgent(starts: string): TriageAgent {
  const script = `#!/bin/sh\nnode -e 'import("./widget.mjs").then(({ first }) => first([]))'\n`;
  const outcome = JSON.stringify(outcomeWith({ issue: 1, reproduction: { ...reproduction, script } }));
  const propose = [
    String.raw`number=$(sed -n 's/^  "number": \([0-9]*\).*/\1/p' "$AFK_TRIAGE_ISSUE_FILE" | head -n 1)`,
    `echo $number >>'${starts}'`,
    "echo changed >changed.txt",
    `outcome=${shellQuote(outcome)}`,
    String.raw`printf %s "$outcome" | sed "s/\"issue\":1,/\"issue\":$number,/" >"$AFK_TRIAGE_OUTCOME_FILE"`,
  ].join("; ");
  return createCommandAgent({ command: ["bash", "-c", propose], environment: {} });
}
