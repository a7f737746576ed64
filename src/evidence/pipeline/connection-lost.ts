import { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../../workspaces/index.ts";

/** T12: the error of a lost connection; the caller begins the verification again. */
export function connectionLost(attempted: string): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `${attempted}: the connection to the Coder workspace was lost`,
    remedy: "Nothing was published; the next batch tries the issue again.",
  });
}
