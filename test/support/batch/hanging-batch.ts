import { poll } from "./poll.ts";
import type { RunningProgram } from "./program.ts";
import type { ProgramStage } from "./program-stage.ts";

/**
 * Starts a batch whose Triage Agents hang, and waits until all of them run. Returns the program in an object, because a running
 * program is itself a promise.
 */
export async function hangingBatch(
  stage: ProgramStage,
  issues: number,
): Promise<{ running: RunningProgram }> {
  await stage.open(...Array.from({ length: issues }, () => "hanging"));
  const running = stage.start(["run"]);
  await poll("the Triage Agents", async () => {
    const lines = await stage.processes();
    return lines.filter((line) => /^\d+: \S*node \S+by-title\.mjs/.test(line)).length >= issues;
  });
  return { running };
}
