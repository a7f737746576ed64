import { shellQuote } from "../../workspaces/index.ts";
import type { RunInHand } from "./work-out.ts";

const PATCH_MAX_BYTES = 5 * 1024 * 1024;
const HARVEST_TIMEOUT_MS = 20_000;

/** O23: what was changed in the checkout is kept as a patch before the Coder workspace goes. Best effort, never fatal. */
export async function harvestPatch({ ready, files, record }: RunInHand): Promise<void> {
  const checkout = shellQuote(files.checkout);
  const result = await ready
    .exec(
      `git -C ${checkout} add --all --intent-to-add && git -C ${checkout} diff --no-ext-diff --no-textconv HEAD`,
      {
        timeoutMs: HARVEST_TIMEOUT_MS,
        maxOutputBytes: PATCH_MAX_BYTES,
      },
    )
    .catch(() => null);
  if (result === null || result.type !== "exited" || result.exitCode !== 0) return;
  if (result.stdout.byteLength === 0) return;
  const patch = await record.keep("checkout.patch", result.stdout).catch(() => null);
  record.noteArtifacts({ patch });
}
