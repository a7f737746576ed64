import { OperationalError } from "agent-tty/kit";
import type { IssueRef, Repository, RepositoryName } from "../../../github/index.ts";
import {
  isTooSlow,
  isWorkspaceLoss,
  type ReadyWorkspace,
  writeWorkspaceFile,
} from "../../../workspaces/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import type { CheckoutSource } from "./checkout.ts";
import type { TriageErrorCode } from "../triage-error.ts";

/** The facts about checkouts, of a batch or of a single verification. */
export interface CheckoutFacts {
  settings: Pick<BatchSettings, "checkout">;
  repositories: ReadonlyMap<RepositoryName, Repository>;
  ports: Pick<BatchPorts, "bundle">;
}

/**
 * Returns from where the checkout is cloned, after a bundle has been copied into the Coder workspace. `clone`: the Coder
 * workspace clones the URL itself. `bundle`: the parent fetches with its own access and transfers the history as one file, so
 * that a private repository needs no credential next to untrusted text (S8).
 */
export async function checkoutSource(
  ref: IssueRef,
  ready: ReadyWorkspace,
  context: CheckoutFacts,
  signal: AbortSignal,
): Promise<CheckoutSource> {
  const settings = context.settings.checkout;
  const repository = context.repositories.get(ref.repo);
  if (repository === undefined) throw new Error(`the batch knows no repository ${ref.repo}`);
  const url = settings.url ?? repository.cloneUrl;
  if (settings.strategy !== "bundle") return { cloneFrom: url, settings };
  const path = `${ready.directory}/repository.bundle`;
  const bundle = await context.ports.bundle(repository, url, signal, ref);
  try {
    await writeWorkspaceFile(ready, path, bundle, {}, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isWorkspaceLoss(error) && !isTooSlow(error)) throw error;
    throw new OperationalError<TriageErrorCode>({
      code: "CHECKOUT_BUNDLE_FAILED",
      message: `copy the git bundle of ${ref.repo} (${bundle.byteLength} bytes) to the Coder workspace: ${error instanceof Error ? error.message : String(error)}`,
      remedy:
        "Check the Coder workspace's disk space and the speed of the connection, or use checkout.strategy: clone.",
      cause: error,
    });
  }
  return { cloneFrom: path, settings };
}
