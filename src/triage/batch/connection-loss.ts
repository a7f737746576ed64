import type { SessionExit } from "agent-tty";
import { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../../workspaces/index.ts";

/** `coder ssh`, and what holds its terminal, end with 255 when the connection is lost for good. */
export function isConnectionLoss(exit: SessionExit): boolean {
  return exit.type === "code" && exit.code === 255;
}

export function connectionLost(attempted: string): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `run \`${attempted}\`: the connection to the Coder workspace was lost`,
    remedy: "Nothing was published; the next batch tries the issue again.",
  });
}
