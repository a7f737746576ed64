import { OperationalError } from "agent-tty/kit";
import { defaultRunFlags, type RunFlags } from "../../config/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";
import { type CommandView, runBatchCommand } from "./run-batch-command.ts";
import { isParentDead, isSettled } from "../../home/index.ts";
import { findRun, type RunAddress } from "./run-of-issue.ts";

export interface RestoreRequest extends RunAddress {
  provider?: RunFlags["provider"];
  config?: string;
}

/**
 * Implements `restore N` (O19): runs a batch of that one issue, which relaunches its terminated run. Its summary is the same as
 * that of `run`.
 */
export async function restoreRun(
  number: number,
  request: RestoreRequest,
  view: CommandView,
): Promise<number> {
  const repo = await restorable(number, request);
  const { provider, config, home } = request;
  const flags: RunFlags = { ...defaultRunFlags, repo: [repo], issue: [number], provider, config, home };
  return runBatchCommand(flags, view, "restore");
}

/** Returns the repository of the run. Closes the store again, because the batch opens it for itself. */
async function restorable(number: number, request: RestoreRequest): Promise<RunFlags["repo"][number]> {
  using run = await findRun("restore", number, request);
  const row = run.read();
  if (!isSettled(row) && !(await isParentDead(run, row))) {
    throw new OperationalError<CliErrorCode>({
      code: "RUN_NOT_RESTORABLE",
      message: `restore ${row.key}: it is still live, in phase ${row.facts.progress.phase}`,
      remedy: `Stop it first with \`afk-triage stop ${number}\`.`,
    });
  }
  return row.facts.repo as RunFlags["repo"][number];
}
