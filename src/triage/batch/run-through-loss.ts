import { OperationalError } from "agent-tty/kit";
import {
  readWorkspaceFile,
  shellQuote,
  type WorkspaceErrorCode,
  type WorkspaceIdentity,
} from "../../workspaces/index.ts";
import { OUTCOME_MAX_BYTES } from "../outcome.ts";
import { addUsage, noUsage, type TriageAgentEnd, type Usage } from "../triage-agent.ts";
import { processGroupFile } from "../triage-agents/index.ts";
import type { CheckoutSource } from "./checkout.ts";
import { isConnectionLoss } from "./connection-loss.ts";
import { harvestPatch } from "./harvest-patch.ts";
import { runTriageAgent } from "./run-triage-agent.ts";
import type { RunInHand } from "./work-out.ts";

/** Less is too little for a Triage Agent to begin again. */
const RETRY_NEEDS_MS = 60_000;
const CLEAR_TIMEOUT_MS = 60_000;

type Attempt =
  | { type: "ended"; end: TriageAgentEnd }
  /** `as`: what becomes of it without a second attempt. */
  | { type: "lost"; as: () => TriageAgentEnd; usage: Usage };

/**
 * T12: a Session that lost its Coder workspace for good is no death of the Triage Agent. While the Coder workspace itself
 * is there, the work is done once more in a new shell and a fresh checkout, unless its result is there already.
 */
export async function runThroughLoss(
  run: RunInHand,
  source: CheckoutSource,
  workspace: WorkspaceIdentity,
): Promise<TriageAgentEnd> {
  const first = await attempt(run, source);
  if (first.type === "ended") return first.end;
  const { context, patience } = run;
  const lease = await context.ports.provider.leaseState(workspace.id, patience.signal);
  if (lease === "lost") throw workspaceGone(workspace);
  if (patience.remainingMs() < RETRY_NEEDS_MS || (await hasOutcome(run)) || !(await clear(run)))
    return first.as();
  const message = `the connection to the Coder workspace ${workspace.name} was lost; its Triage Run begins again`;
  context.ports.observe({ type: "warning", message });
  const second = await attempt(run, source);
  const end = second.type === "ended" ? second.end : second.as();
  // T9: what was paid for counts, also when nothing came of it.
  return { ...end, usage: addUsage(first.usage, end.usage) };
}

async function attempt(run: RunInHand, source: CheckoutSource): Promise<Attempt> {
  try {
    const end = await runTriageAgent(run, source);
    if (end.type === "interrupted" && isConnectionLoss(end.exit))
      return { type: "lost", as: () => end, usage: end.usage };
    return { type: "ended", end };
  } catch (error) {
    const isLoss = error instanceof OperationalError && error.code === "WORKSPACE_LOST";
    if (!isLoss || run.patience.signal.aborted) throw error;
    return {
      type: "lost",
      as: () => {
        throw error;
      },
      usage: noUsage,
    };
  }
}

/** Whatever it is worth: the caller judges it. */
async function hasOutcome({ ready, files, patience }: RunInHand): Promise<boolean> {
  const limits = { maxBytes: OUTCOME_MAX_BYTES };
  const file = await readWorkspaceFile(ready, files.outcome, limits, patience.signal);
  return file.type === "content";
}

/** Ends what the first attempt left running, and takes its files away. False when that could not be done. */
async function clear(run: RunInHand): Promise<boolean> {
  await harvestPatch(run);
  const { ready, files, patience } = run;
  const script = [
    `group=$(head -c 12 -- ${shellQuote(processGroupFile(files))} 2>/dev/null)`,
    // The file is within reach of the code under triage: nothing but the id of one group is taken from it.
    `case "$group" in *[!0-9]*|""|0|1) ;; *) kill -KILL -- "-$group" 2>/dev/null ;; esac`,
    `rm -rf -- ${shellQuote(files.checkout)}`,
  ].join("\n");
  const cleared = await ready.exec(script, { timeoutMs: CLEAR_TIMEOUT_MS, signal: patience.signal });
  return cleared.type === "exited" && cleared.exitCode === 0;
}

function workspaceGone({ name, id }: WorkspaceIdentity): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `work in the Coder workspace ${name} (${id}): it was stopped or deleted underneath the Triage Run`,
    remedy: "Raise the template's autostop above the run deadline, or find out who stops or deletes it.",
  });
}
