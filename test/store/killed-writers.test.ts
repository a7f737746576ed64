import { once } from "node:events";
import { seededIds } from "agent-tty/testing";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import type { TriageRunFacts } from "../../src/runs/index.ts";
import { bundleProcesses } from "./bundle-processes.ts";
import { storeFixture } from "./store-fixture.ts";

// The test runs several rounds of real processes, possibly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const ROUNDS = 4;
const WRITERS = 2;
const SEED = Number(process.env["AFK_TEST_SEED"] ?? 1);

/** The commits that a writer has confirmed: for each run number, how many events of its script. */
type Confirmed = Map<number, number>;

/** Waits until a writer has confirmed `lines` commits, kills it, and returns the commits that it had confirmed. */
async function killedWriter(program: string, path: string, runId: string, lines: number): Promise<Confirmed> {
  const writer = execa("node", [program, path, runId], { reject: false });
  let printed = "";
  writer.stdout?.on("data", (chunk: Buffer | string) => {
    printed += chunk.toString();
    if (printed.split("\n").length > lines) writer.kill("SIGKILL");
  });
  const [end] = await Promise.all([writer, once(writer, "exit")]);
  expect({ signal: end.signal, stderr: end.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  const whole = printed.slice(0, printed.lastIndexOf("\n")).split("\n");
  return new Map(whole.map((line) => line.split(" ").map(Number) as [number, number]));
}

/** Returns the step of the worker's script that a stored run has reached. */
function stepOf(facts: TriageRunFacts): number {
  if (facts.progress.phase === "settled") return 6;
  if (facts.coderWorkspace.state === "deleting") return 5;
  if (facts.runState.state !== "idle") return 4;
  if (facts.coderWorkspace.state === "ready") return 3;
  return facts.coderWorkspace.state === "creating" ? 2 : 1;
}

test("a store opens with consistent contents after several writers were killed at random moments (O21, C8)", async () => {
  await using programs = await bundleProcesses();
  await using fixture = await storeFixture();
  (await fixture.open())[Symbol.dispose]();
  const random = seededIds(fixture.clock, SEED);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const runIds = Array.from({ length: WRITERS }, (_, index) => `2026010${round}T00000${index}Z`);
    const confirmed = await Promise.all(
      runIds.map((runId) =>
        killedWriter(programs.lifecycle, fixture.path, runId, 1 + Number.parseInt(random.hex(1), 16)),
      ),
    );
    using store = await fixture.open();
    for (const [index, runId] of runIds.entries()) {
      const stored = new Map(store.runsOfBatch(runId).map((facts) => [facts.number, stepOf(facts)]));
      const behind = [...(confirmed[index] ?? [])].filter(
        ([number, step]) => (stored.get(number) ?? 0) < step,
      );
      expect({ seed: SEED, round, runId, behind }).toEqual({ seed: SEED, round, runId, behind: [] });
      expect(store.batch(runId)?.finished).toBeNull();
    }
    const sequences = store.changesSince(0, 100_000).map(({ seq }) => seq);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  }
});
