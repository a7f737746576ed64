import { OperationalError, shellQuote } from "agent-tty/kit";
import {
  isWorkspaceLoss,
  readWorkspaceFile,
  type WorkspaceErrorCode,
  type WorkspaceIdentity,
} from "../../../workspaces/index.ts";
import { OUTCOME_MAX_BYTES } from "../../outcome.ts";
import { noUsage, type TriageAgentEnd } from "../../triage-agent.ts";
import { processGroupFile } from "../../triage-agents/index.ts";
import { type CheckoutSource, isConnectionLoss } from "../session/index.ts";
import { harvestPatch } from "../evidence/index.ts";
import { runTriageAgent, type SpendingHooks } from "./run-triage-agent.ts";
import type { RunInHand } from "../run-in-hand.ts";

/** With less time than this left, a Triage Agent is not started again. */
const RESTART_NEEDS_MS = 60_000;
/** How many more times a Triage Agent that was lost together with its Session is started; each start costs money. */
const RESTARTS = 1;
const CLEAR_TIMEOUT_MS = 60_000;

type Attempt =
  | { type: "ended"; end: TriageAgentEnd }
  /** `end`: how the run ends without a further attempt; null: with `loss` as its failure. */
  | { type: "lost"; isStarted: boolean; end: TriageAgentEnd | null; loss: unknown };

/**
 * Runs the Triage Agent, and repeats the run when its Session loses the Coder workspace for good, because that loss does not
 * prove that the Triage Agent is dead (T12). While the Coder workspace itself exists, the work begins again in a new shell and a
 * fresh checkout. It may begin again any number of times before the Triage Agent was started, and once after that, unless the
 * result already exists. `onUsage` receives what each attempt used (T9).
 */
export async function runThroughLoss(
  run: RunInHand,
  source: CheckoutSource,
  workspace: WorkspaceIdentity,
  onUsage: SpendingHooks["onUsage"],
): Promise<TriageAgentEnd> {
  const { context, patience, ready } = run;
  let starts = 0;
  for (let repeat = 1; ; repeat += 1) {
    const result = await attempt(run, source, onUsage);
    if (result.type === "ended") return result.end;
    const giveUp = (): TriageAgentEnd => {
      if (result.end === null) throw result.loss;
      return result.end;
    };
    if (ready.connection === null || patience.signal.aborted) return giveUp();
    if (!(await ready.connection.mayRepeat(repeat, patience.signal))) throw workspaceGone(workspace);
    if (result.isStarted) {
      starts += 1;
      if (await hasOutcome(run)) return result.end ?? lostEnd;
      if (starts > RESTARTS || patience.remainingMs() < RESTART_NEEDS_MS) return giveUp();
      const message = `the connection to the Coder workspace ${workspace.name} was lost; its Triage Run begins again`;
      context.ports.observe({ type: "warning", message });
      await harvestPatch(run);
    }
    if (!(await clear(run))) return giveUp();
  }
}

/** The end of a Triage Agent whose outcome file exists although nothing else is known of it. */
const lostEnd: TriageAgentEnd = { type: "interrupted", exit: { type: "code", code: 255 }, usage: noUsage };

async function attempt(
  run: RunInHand,
  source: CheckoutSource,
  onUsage: SpendingHooks["onUsage"],
): Promise<Attempt> {
  let isStarted = false;
  try {
    const end = await runTriageAgent(run, source, { onStart: () => (isStarted = true), onUsage });
    const isLost = end.type === "interrupted" && isConnectionLoss(run.ready, end.exit);
    return isLost ? { type: "lost", isStarted, end, loss: null } : { type: "ended", end };
  } catch (error) {
    if (!isWorkspaceLoss(error) || run.patience.signal.aborted) throw error;
    return { type: "lost", isStarted, end: null, loss: error };
  }
}

/** Returns whether the outcome file has any content; the caller validates it. */
async function hasOutcome({ ready, files, patience }: RunInHand): Promise<boolean> {
  const limits = { maxBytes: OUTCOME_MAX_BYTES };
  const file = await readWorkspaceFile(ready, files.outcome, limits, patience.signal);
  return file.type === "content";
}

/** Kills the processes that the last attempt left running, and removes its checkout. Returns false when that failed. */
async function clear(run: RunInHand): Promise<boolean> {
  const { ready, files, patience } = run;
  const script = [
    `group=$(head -c 12 -- ${shellQuote(processGroupFile(files))} 2>/dev/null)`,
    // The code under triage can write this file, so only the id of one process group is taken from it.
    `case "$group" in *[!0-9]*|""|0|1) ;; *) kill -KILL -- "-$group" 2>/dev/null ;; esac`,
    `rm -rf -- ${shellQuote(files.checkout)}`,
  ].join("\n");
  const cleared = await ready.exec(script, { timeoutMs: CLEAR_TIMEOUT_MS, signal: patience.signal });
  return cleared.type === "exited" && cleared.exitCode === 0;
}

function workspaceGone({ name, id }: WorkspaceIdentity): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `work in the Coder workspace ${name} (${id}): it was stopped or deleted during the Triage Run`,
    remedy: "Raise the template's autostop above the run deadline, or find out who stops or deletes it.",
  });
}
