import { connectHost, type HostConnection } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { agentTty, openBench, quantile, samples } from "./measure.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const RUNS = 200;
const CALL_LIMIT_MS = 30_000;

/** P3 over the host's socket: a Session in a separate host process, and one client that stays connected. */
export async function socketRows(): Promise<BenchRow[]> {
  await using bench = await openBench();
  // The user's own start files are not read, because the time of their prompt should not count.
  const created = await agentTty(bench.home, ["create", "--", "bash", "--noediting", "--norc"]);
  const { sessionId } = created as { sessionId: string };
  try {
    const directory = bench.home.sessionDirectory(sessionId);
    await using host = await connectHost({ sessionId, directory }, systemClock);
    return [await runRow(host)];
  } finally {
    await agentTty(bench.home, ["destroy", sessionId, "--force"]);
  }
}

async function runRow(host: HostConnection): Promise<BenchRow> {
  const run = { method: "run", commandLine: "true", timeoutMs: CALL_LIMIT_MS, waits: true } as const;
  const statusMs = quantile(await samples(RUNS, () => host.call({ method: "status" })), 0.5);
  const runs = await samples(RUNS, () => host.call(run));
  const medianMs = quantile(runs, 0.5);
  return judged(
    {
      row: "P3",
      what: "Waited Run of true, over the host's socket (median, p99)",
      measured: `${milliseconds(medianMs)}, ${milliseconds(quantile(runs, 0.99))}`,
      rawLimit: `socket round trip ${milliseconds(statusMs)}`,
      ratio: medianMs / statusMs,
      requirement: "≤ 3 ms",
    },
    medianMs <= 3,
  );
}
