import { basename, dirname, join } from "node:path";
import type { Session } from "agent-tty";
import { OperationalError, raceSignal, startDeadline } from "agent-tty/kit";
import { issueKey } from "../../../github/index.ts";
import {
  type Launch,
  noUsage,
  type ToldUsage,
  type TriageAgent,
  type TriageAgentContext,
  type TriageAgentEnd,
} from "../../triage-agent.ts";
import { programMissing } from "../../triage-agents/index.ts";
import { isWorkspaceLoss } from "../../../workspaces/index.ts";
import {
  evidenceOf,
  sessionRunner,
  type SessionRunner,
  applyCheckout,
  type CheckoutSource,
  planCheckout,
  openSession,
  sessionPorts,
  type SessionRequest,
} from "../session/index.ts";
import {
  cleanLater,
  evidencePorts,
  keepRecording,
  keepScreenshot,
  searchEvidence,
  harvestPatch,
} from "../evidence/index.ts";
import { watchPullRequests } from "./observe-pull-requests.ts";
import { refuseKnownDialog } from "./known-dialog.ts";
import type { TriageErrorCode } from "../triage-error.ts";
import type { BatchPorts } from "../batch-context.ts";
import { startStageTimer } from "../stage-times.ts";
import type { RunInHand } from "../run-in-hand.ts";
import { triageSessionName } from "../session-names.ts";

/** Called with the cost of a Triage Agent as it becomes known. */
export interface SpendingHooks {
  /** Called before it is started: from then on it may cost money. */
  onStart: () => void;
  /** Called with what it used when it has ended or was stopped, before `runTriageAgent` resolves or rejects. */
  onUsage: (told: ToldUsage) => void;
}

/**
 * Runs the Session of one Triage Run: checkout and set-up as Waited Runs, then the Triage Agent. The Session's recording always
 * remains.
 */
export async function runTriageAgent(
  run: RunInHand,
  source: CheckoutSource,
  on: SpendingHooks,
): Promise<TriageAgentEnd> {
  const { record, context, patience, files, ready } = run;
  const { ref } = run.fresh.issue;
  const launch = earlyLaunch(run, source);
  const session = await openTriageSession(run, launch);
  const owner = context.service.find(issueKey(ref));
  using own = sessionRunner(session, ready);
  using _attached = owner?.attachRunner(own.runner);
  context.ports.observe({ type: "session-opened", ref, sessionId: session.id });
  record.noteArtifacts({ eventLog: join(session.directory, "events.jsonl") });
  let endedWell = false;
  try {
    const timer = startStageTimer(context.ports.clock);
    await record.timed("provisionMs", () =>
      applyCheckout(planCheckout(source, basename(files.checkout)), session, {
        ...patience,
        workspace: ready,
        onStep: ({ failure }) => timer.enter(failure === "CHECKOUT_SETUP_FAILED" ? "setup" : "clone"),
      }),
    );
    context.ports.observe({ type: "checkout-ready", ref, stages: timer.finish() });
    const end = await record.timed("agentMs", () => start(session, own, run, launch !== null, on));
    const evidence = evidenceOf(end, ready);
    if (evidence !== null) owner?.settle(evidence);
    endedWell = end.type === "finished" && end.exitCode === 0;
    return end;
  } catch (error) {
    // Normally the patch is read together with the outcome. After a lost connection, one more exchange would only fail.
    if (!isWorkspaceLoss(error)) await harvestPatch(run);
    throw error;
  } finally {
    await session.destroy();
    record.noteArtifacts({ recording: record.pathOf("recording.cast") });
    const place = "its terminal output";
    cleanLater(session, place, run, async (isLeaked) => {
      const ports = evidencePorts(run);
      const recording = isLeaked ? null : await keepRecording(session, "recording.cast", ports);
      record.noteArtifacts({ recording });
      // After a success the screen shows only a prompt, and drawing it costs as much as the rest of a run.
      if (!endedWell && !isLeaked)
        record.noteArtifacts({ screenshot: await keepScreenshot(session, "screen.png", ports) });
    });
    await searchEvidence(session, place, run);
  }
}

/**
 * Returns the launch script that is written together with the Session's own files; null if a set-up runs before it, because the
 * set-up may install the Triage Agent and must neither read nor change the script.
 */
function earlyLaunch({ context, files }: RunInHand, { settings }: CheckoutSource): Launch | null {
  return settings.setup.length === 0 ? (context.ports.triageAgent.launch?.(files) ?? null) : null;
}

function openTriageSession(run: RunInHand, launch: Launch | null): Promise<Session> {
  const { context, files, fresh, ready } = run;
  const { ref } = fresh.issue;
  return openSession(
    {
      name: triageSessionName(ref),
      rcFile: `${files.control}/shell.bashrc`,
      directory: dirname(files.checkout),
      exports: {
        AFK_TRIAGE_ISSUE_FILE: files.issue,
        AFK_TRIAGE_PROMPT_FILE: files.prompt,
        AFK_TRIAGE_SKILLS_DIR: files.skills,
        AFK_TRIAGE_OUTCOME_FILE: files.outcome,
      },
      answersQueries: true,
      files: [...run.controlFiles, ...(launch?.files ?? [])],
      ...(launch !== null && { needs: needed(launch.program, context.ports.triageAgent) }),
    },
    sessionPorts(ready, context),
    run.patience.signal,
  );
}

function needed(program: string, triageAgent: TriageAgent): NonNullable<SessionRequest["needs"]> {
  return { program, missing: () => unavailable(triageAgent, programMissing(program)) };
}

function unavailable({ name }: TriageAgent, missing: string): OperationalError<TriageErrorCode> {
  return new OperationalError<TriageErrorCode>({
    code: "TRIAGE_AGENT_UNAVAILABLE",
    message: `start the Triage Agent ${name}: ${missing}`,
    remedy:
      "Install it in the Coder workspace template (with --provider local: on this machine), or change triageAgent in the config file.",
  });
}

async function start(
  session: Session,
  own: SessionRunner,
  run: RunInHand,
  isPrepared: boolean,
  { onStart, onUsage }: SpendingHooks,
): Promise<TriageAgentEnd> {
  const { context, patience, ready, files, record } = run;
  const { triageAgent } = context.ports;
  const preflight = { workspace: ready, files, signal: patience.signal };
  if (!isPrepared) {
    const missing = await triageAgent.preflight(preflight);
    if (missing !== null) throw unavailable(triageAgent, missing);
  }
  await refuseKnownDialog(run, preflight);
  record.phase("triaging", triageAgent.name);
  const { ref } = run.fresh.issue;
  const owner = context.service.find(issueKey(ref));
  using _pullRequests =
    owner === null
      ? undefined
      : watchPullRequests(owner, context.settings.pullRequestIntervalMs, context.ports);
  onStart();
  let offered: OfferedUsage | null = null;
  try {
    const end = await triageAgent.run({
      session,
      workspace: ready,
      issueNumber: ref.number,
      files,
      ...patience,
      offerInput: own.offerInput,
      offerUsage: (...usage) => void (offered = usage),
      reportFinal: () => owner?.reportFinal(),
      signalActivity: (activity) => owner?.lifecycle.signal({ type: "valid", activity }),
    });
    onUsage(end);
    return end;
  } catch (error) {
    if (offered !== null) onUsage(await usageSoFar(offered, context.ports));
    throw error;
  }
}

type OfferedUsage = Parameters<TriageAgentContext["offerUsage"]>;

/** The deletion of the Coder workspace waits no longer than this for the usage of a Triage Agent that was stopped. */
const USAGE_PATIENCE_MS = 2_000;

async function usageSoFar(
  [read, { tellsCost }]: OfferedUsage,
  { clock }: Pick<BatchPorts, "clock">,
): Promise<ToldUsage> {
  using patience = startDeadline(clock, "reading the usage of a stopped Triage Agent", USAGE_PATIENCE_MS);
  const { signal } = patience;
  return await raceSignal(read(signal), signal).catch(() => ({ usage: noUsage, isCostMissing: tellsCost }));
}
