import { shellQuote } from "../../workspaces/index.ts";
import type { RunInHand } from "./work-out.ts";

const PATCH_MAX_BYTES = 5 * 1024 * 1024;
const HARVEST_TIMEOUT_MS = 20_000;

/**
 * With a repository of its own over the checkout's objects: what the Triage Agent or the code under triage has written
 * into the checkout's configuration, hooks, filters and drivers is not run (S12).
 */
function harvestScript(checkout: string, repository: string): string {
  return [
    "set -e",
    "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1",
    `head=$(git -C ${checkout} rev-parse --verify 'HEAD^{commit}')`,
    `rm -rf -- ${repository}`,
    `git init --quiet --bare --template= ${repository}`,
    `export GIT_DIR=${repository} GIT_WORK_TREE=${checkout} GIT_OBJECT_DIRECTORY=${checkout}/.git/objects`,
    `cd ${checkout}`,
    'git read-tree "$head"',
    "git add --all --intent-to-add",
    'git diff --no-ext-diff --no-textconv "$head"',
  ].join("\n");
}

/** O23: what was changed in the checkout is kept as a patch before the Coder workspace goes. Best effort, never fatal. */
export async function harvestPatch({ ready, files, record }: RunInHand): Promise<void> {
  const checkout = shellQuote(files.checkout);
  const result = await ready
    .exec(harvestScript(checkout, shellQuote(`${ready.directory}/harvest.git`)), {
      timeoutMs: HARVEST_TIMEOUT_MS,
      maxOutputBytes: PATCH_MAX_BYTES,
    })
    .catch(() => null);
  if (result === null || result.type !== "exited" || result.exitCode !== 0) return;
  if (result.stdout.byteLength === 0) return;
  const patch = await record.keep("checkout.patch", result.stdout).catch(() => null);
  record.noteArtifacts({ patch });
}
