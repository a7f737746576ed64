import { shellQuote } from "agent-tty/kit";
import { readWorkspaceFileAnd, type WorkspaceFile } from "../../../workspaces/index.ts";
import { OUTCOME_MAX_BYTES } from "../../outcome.ts";
import type { RunInHand } from "../run-in-hand.ts";

const PATCH_MAX_BYTES = 5 * 1024 * 1024;
const HARVEST_TIMEOUT_MS = 20_000;

/**
 * Returns the script that prints the changes in the checkout as a patch. It uses a separate git repository over the checkout's
 * objects, so that git runs no configuration, hook, filter or driver that the Triage Agent or the code under triage has written
 * into the checkout (S12).
 */
function harvestScript({ ready, files }: RunInHand): string {
  const checkout = shellQuote(files.checkout);
  const repository = shellQuote(`${ready.directory}/harvest.git`);
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

/**
 * Stores the changes in the checkout as a patch before the Coder workspace is destroyed (O23). Best effort: failures are ignored.
 */
export async function harvestPatch(run: RunInHand): Promise<void> {
  const result = await run.ready
    .exec(harvestScript(run), { timeoutMs: HARVEST_TIMEOUT_MS, maxOutputBytes: PATCH_MAX_BYTES })
    .catch(() => null);
  if (result?.type === "exited" && result.exitCode === 0) await keepPatch(result.stdout, run);
}

/** Reads the outcome file and harvests the patch over the same connection; if harvesting fails, the outcome is still used. */
export async function readOutcomeAndHarvest(run: RunInHand, signal: AbortSignal): Promise<WorkspaceFile> {
  const { ready, files, context } = run;
  const harvest = {
    commandLine: harvestScript(run),
    maxOutputBytes: PATCH_MAX_BYTES,
    timeoutMs: HARVEST_TIMEOUT_MS,
    nonce: context.ports.ids.hex(16),
  };
  const limits = { maxBytes: OUTCOME_MAX_BYTES };
  const { file, output } = await readWorkspaceFileAnd(ready, files.outcome, limits, harvest, signal);
  if (output !== null) await keepPatch(output, run);
  return file;
}

async function keepPatch(bytes: Uint8Array, { record }: RunInHand): Promise<void> {
  if (bytes.byteLength === 0) return;
  const patch = await record.keep("checkout.patch", bytes).catch(() => null);
  record.noteArtifacts({ patch });
}
