import { OperationalError, systemClock } from "agent-tty/kit";
import type { RunRow } from "../../store/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { type Output, proseLines, runLine } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { connectToOwner, endWaitingRun, isParentDead, isSettled, parentGone } from "../../home/index.ts";
import { findIssue, latestRun, type RunAddress, type RunOfIssue } from "./run-of-issue.ts";

const LOOK_EVERY_MS = 200;
/** The longest time to wait for a Coder workspace to be deleted. */
const PATIENCE_MS = 6 * 60_000;

/**
 * Implements `stop N` and `kill N`: sends a request to the run's owner, then waits until the run has settled. A run that waits for
 * its turn in a batch ends there without a wait. A run that has already ended is not an error.
 */
export async function endRun(
  how: "stop" | "kill",
  number: number,
  address: RunAddress,
  output: Output,
): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    using issue = await findIssue(how, number, address);
    const before = issue.read();
    if (before === null || isSettled(before)) {
      const runId = await endWaitingRun(how, { repo: issue.repo, number }, issue, signals.stop);
      if (runId !== null) {
        output.answer([
          `${issue.repo}#${number}: it waited in the Triage Batch ${runId}, which will not triage it now`,
        ]);
        output.document({ ...documentOf(how, "stopping"), runId, run: null });
        return exitCodes.done;
      }
    }
    return await endKnownRun(how, latestRun(how, number, issue), output, signals.stop);
  });
}

async function endKnownRun(
  how: "stop" | "kill",
  run: RunOfIssue,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const before = run.read();
  const result = isSettled(before) ? "no-active-run" : await askOwner(how, run, before, signal);
  if (result === "no-active-run" && isSettled(before))
    output.line("no Triage Run of this issue is running, so nothing was stopped; the last one:");
  else output.line(`${before.key}: asked its parent to ${how} it`);
  const after = await untilSettled(how, run, signal);
  output.answer(proseLines(runLine(after), output));
  output.document({ ...documentOf(how, result), run: after });
  return exitCodes.done;
}

function documentOf(command: string, result: string): Record<string, unknown> {
  return { schema: "afk-triage/control@1", command, result };
}

async function askOwner(
  how: "stop" | "kill",
  run: RunOfIssue,
  row: RunRow,
  signal: AbortSignal,
): Promise<string> {
  await using parent = await connectToOwner(how, run, row);
  const { repo, number } = row.facts;
  const { type } = await parent.call({ method: how, repo, number }, signal);
  return type;
}

async function untilSettled(how: string, run: RunOfIssue, signal: AbortSignal): Promise<RunRow> {
  const endsMs = systemClock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    const row = run.read();
    if (isSettled(row)) return row;
    if (await isParentDead(run, row)) throw await parentGone(how, run, row, "it has ended in the meantime");
    if (systemClock.monotonicMs() > endsMs) throw stillStopping(how, row);
    await systemClock.sleep(LOOK_EVERY_MS, signal);
  }
}

function stillStopping(how: string, { key, facts }: RunRow): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_STILL_STOPPING",
    message: `${how} ${key}: ${PATIENCE_MS / 60_000} minutes after its parent was asked, it is in phase ${facts.progress.phase}`,
    remedy:
      "Find out what it is waiting for with `afk-triage attach`, or stop the whole batch (Ctrl-C in its terminal).",
  });
}
