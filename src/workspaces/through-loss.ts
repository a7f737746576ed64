import { OperationalError } from "agent-tty/kit";
import type { ReadyWorkspace } from "./port.ts";

/** Returns whether the connection to a Coder workspace was lost, which says nothing about what ran there. */
export function isWorkspaceLoss(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "WORKSPACE_LOST";
}

/**
 * Runs `work`, and runs it again whenever it rejects with WORKSPACE_LOST, under the exchange policy: as long as the Coder
 * workspace runs and the signal (the run deadline, a stop) is not aborted. `repeat` is 0 the first time. The work must have the
 * same result however often it is started. Rejects with the last loss, another failure of the work, or the signal's reason.
 */
export async function throughLoss<Result>(
  { connection }: Pick<ReadyWorkspace, "connection">,
  signal: AbortSignal,
  work: (repeat: number) => Promise<Result>,
): Promise<Result> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await work(repeat);
    } catch (error) {
      signal.throwIfAborted();
      if (connection === null || !isWorkspaceLoss(error)) throw error;
      if (!(await connection.mayRepeat(repeat + 1, signal))) throw error;
    }
  }
}
