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
    const lostIn: Place[] = [];
    const exchanges = Array.from({ length: healthy.places.length }, (_, index) => index + 1).filter(
      (exchange) => isEveryPlayed || (exchange + LOSSES.indexOf(loss)) % LOSSES.length === 0,
    );
    for (const exchange of exchanges) {
      const seen = await runWithLoss(multiplexer, { exchange, loss });
      lostIn.push(...seen.places.slice(exchange - 1, exchange));
      expect({ exchange, ...seen }).toMatchObject({
        exchange,
        starts: 1,
        issue: { status: "applied", outcome: "ready-for-agent", error: null },
        left: [],
      });
    }
    expect(new Set(lostIn)).toEqual(new Set(["lock", "second"]));
  },
);

const healthyRuns = new Map<Multiplexer, Promise<Seen>>();

/** A Triage Run without a loss, made once for each multiplexer. */
function healthyRun(multiplexer: Multiplexer): Promise<Seen> {
  const made = healthyRuns.get(multiplexer) ?? runWithLoss(multiplexer, null);
  healthyRuns.set(multiplexer, made);
  return made;
}

type Multiplexer = "tmux" | "none";
type Place = "lock" | "second";

interface Seen {
  issue: IssueSummary | undefined;
  /** How often the Triage Agent was started. */
  starts: number;
  /** Every `coder ssh` connection of the Triage Run, in order: to the Triage Agent's Coder workspace or to that of the verification. */
  places: Place[];
  left: string[];
}

async function runWithLoss(
  multiplexer: Multiplexer,
  wanted: { exchange: number; loss: Loss } | null,
): Promise<Seen> {
  await using batch = await openBatchStage();
  await using standIn = await startCoderStandIn();
  await batch.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const places: Place[] = [];
  standIn.onSsh = (name) => {
    places.push(name.endsWith("-v") ? "second" : "lock");
    return wanted !== null && places.length === wanted.exchange ? wanted.loss : null;
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
  const started = await readFile(starts, "utf8").catch(() => "");
  return {
    issue: summary.issues[0],
    starts: started.split("\n").length - 1,
    places,
    left: standIn.liveNames(),
  };
}

/** Leaves a change in the checkout and a bug with a reproduction, which the parent then runs. */
function provingAgent(starts: string): TriageAgent {
  const script = `#!/bin/sh\nnode -e 'import("./widget.mjs").then(({ first }) => first([]))'\n`;
  const outcome = outcomeWith({ issue: 1, reproduction: { ...reproduction, script } });
  const propose = `echo $$ >>'${starts}'; echo changed >changed.txt; printf %s ${shellQuote(JSON.stringify(outcome))} >"$AFK_TRIAGE_OUTCOME_FILE"`;
  return createCommandAgent({ command: ["bash", "-c", propose], environment: {} });
}
