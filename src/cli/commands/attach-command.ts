import type { RunUpdate } from "../../runs/index.ts";
import { plainText } from "../../github/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Output, proseLines, runLine } from "../output/index.ts";
import { stopOnSignals, untilLeft, untilSignalled } from "../stop-on-signals.ts";
import { connectToOwner, isSettled } from "../../home/index.ts";
import { findRun, type RunAddress } from "./run-of-issue.ts";

export interface AttachRequest extends RunAddress {
  json?: boolean;
}

/** `attach N` (C17): shows live updates from the run's owner until the run ends. Leaving it (Ctrl-C) changes nothing. */
export async function attachToRun(number: number, request: AttachRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    using run = await findRun("attach to", number, request);
    const before = run.read();
    if (isSettled(before)) output.line("no Triage Run of this issue is running; the last one:");
    else {
      await using parent = await connectToOwner("attach to", run, before);
      const present = createPresenter();
      const show = (update: RunUpdate): void => {
        if (request.json === true) output.event(update);
        else for (const line of present(update)) output.line(line);
      };
      const watching = parent.observe(
        { method: "observe", repo: before.facts.repo, number, mode: { type: "live" } },
        show,
        signals.stop,
      );
      await untilLeft(watching, signals);
    }
    const after = run.read();
    output.answer(proseLines(runLine(after), output));
    output.document({ schema: "afk-triage/run@1", run: after });
    return signals.exitCode() ?? exitCodes.done;
  });
}

/** Returns a function that turns a change into one line, and an output into the lines that were not on the screen before. */
function createPresenter(): (update: RunUpdate) => string[] {
  let shown = new Set<string>();
  return (update) => {
    const { view } = update;
    switch (update.type) {
      case "changed":
        return [`${view.key}  ${view.displayStatus}  ${view.phase}  ${view.runState}  (${view.surface})`];
      case "output": {
        const lines = plainText(update.text).split("\n");
        const fresh = lines.filter((line) => line.trim() !== "" && !shown.has(line));
        shown = new Set(lines);
        return fresh.map((line) => `  ${line}`);
      }
      case "settled":
        return [`${view.key}  its prompt has ended: ${update.evidence}`];
      case "ended":
        return [];
      default:
        return update satisfies never;
    }
  };
}
