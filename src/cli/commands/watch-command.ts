import { systemClock } from "agent-tty/kit";
import { deriveSurface } from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Output, proseLines, runLine } from "../output/index.ts";
import { stopOnSignals, untilLeft, untilSignalled } from "../stop-on-signals.ts";
import { isParentDead, isSettled, parentGone } from "../../home/index.ts";
import { findRun, type RunAddress } from "./run-of-issue.ts";

export interface WatchRequest extends RunAddress {
  /** The time between two reads, in milliseconds. */
  every: number;
  /** The duration of the watch, in milliseconds; absent: until the run has settled. */
  for?: number;
  json?: boolean;
}

/** `watch N` (C17): reads the store at intervals until the run has settled or the time is over. It makes no requests. */
export async function watchRun(number: number, request: WatchRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    using run = await findRun("watch", number, request);
    const endsMs = systemClock.monotonicMs() + (request.for ?? Number.POSITIVE_INFINITY);
    let row = run.read();
    if (isSettled(row)) output.line("no Triage Run of this issue is running; the last one:");
    for (;;) {
      const leftMs = endsMs - systemClock.monotonicMs();
      const isLast = isSettled(row) || leftMs <= 0 || signals.exitCode() !== null;
      if (request.json === true) output.event({ type: "look", run: row });
      else if (isLast) output.answer(proseLines(describeLook(row), output));
      else output.line(describeLook(row));
      if (isLast) break;
      if (await isParentDead(run, row)) throw await parentGone("watch", run, row, "it ended");
      await untilLeft(systemClock.sleep(Math.min(request.every, leftMs), signals.stop), signals);
      row = run.read();
    }
    output.document({ schema: "afk-triage/run@1", run: row });
    return signals.exitCode() ?? exitCodes.done;
  });
}

function describeLook(row: RunRow): string {
  const surface = deriveSurface(row.facts);
  return isSettled(row) || surface === "no active prompt" ? runLine(row) : `${runLine(row)}  (${surface})`;
}
