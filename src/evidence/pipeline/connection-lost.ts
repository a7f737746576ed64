import { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../../workspaces/index.ts";

/** Returns the error of a lost connection (T12). The caller starts the verification again. */
export function connectionLost(attempted: string): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `${attempted}: the connection to the Coder workspace was lost`,
    remedy: "Nothing was published; the next batch tries the issue again.",
  });
}
