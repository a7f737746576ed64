import { messageOf, OperationalError } from "agent-tty/kit";
import type { StoreErrorCode } from "../../../store/index.ts";
import type { RepositoryName } from "../../../github/index.ts";
import type { BatchPorts } from "../batch-context.ts";

/**
 * Reports why an issue index could not be used; triage also works without candidates. A damaged index is deleted, so that the next
 * feed builds it anew.
 */
export async function warnOfFailure(
  attempted: string,
  repo: RepositoryName,
  error: unknown,
  { duplicates, observe }: Pick<BatchPorts, "duplicates" | "observe">,
): Promise<void> {
  const isDamaged =
    error instanceof OperationalError && error.code === ("STORE_CORRUPT" satisfies StoreErrorCode);
  if (!isDamaged) return observe({ type: "warning", message: `${attempted}: ${messageOf(error)}` });
  const outcome = await duplicates.discard(repo).then(
    () => "was damaged and is deleted; the next batches build it anew from GitHub",
    (failure: unknown) => `is damaged and was not deleted: ${messageOf(failure)}`,
  );
  observe({ type: "warning", message: `${attempted}: the issue index of ${repo} ${outcome}` });
}
