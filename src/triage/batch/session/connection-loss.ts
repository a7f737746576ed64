import type { SessionExit } from "agent-tty";
import { OperationalError } from "agent-tty/kit";
import type { ReadyWorkspace, WorkspaceErrorCode } from "../../../workspaces/index.ts";

/** Returns whether a Session over this Coder workspace ended because its connection was lost, and not because its shell ended. */
export function isConnectionLoss(
  { connection }: Pick<ReadyWorkspace, "connection">,
  exit: SessionExit,
): boolean {
  return connection !== null && connection.isLoss(exit);
}

/** Creates the error for a connection to the Coder workspace that broke during a command (WORKSPACE_LOST). */
export function connectionLost(attempted: string): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `run \`${attempted}\`: the connection to the Coder workspace was lost`,
    remedy: "Nothing was published; the next batch tries the issue again.",
  });
}
