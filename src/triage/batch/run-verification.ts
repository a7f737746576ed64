import { redactSecretsIn } from "../../github/index.ts";
import { throughLoss } from "../../workspaces/index.ts";
import type { Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";
import type { CheckoutSource } from "./checkout.ts";
import { cleanLater, evidencePorts, keepRecording, keepScreenshot, searchEvidence } from "./keep-evidence.ts";
import { sessionPorts } from "./open-session.ts";
import { withInsight } from "./verification-insight.ts";
import { openVerification, verifyReproduction } from "./verify-reproduction.ts";
import type { RunInHand } from "./work-out.ts";

/**
 * Policy 2: in a second Session, which the Triage Agent never had, with nothing of its environment. A lost connection begins it
 * again (T12).
 */
export async function runVerification(
  outcome: Outcome,
  source: CheckoutSource,
  run: RunInHand,
): Promise<Verification> {
  return throughLoss(run.ready, run.patience.signal, (repeat) => verifyOnce(outcome, source, run, repeat));
}

async function verifyOnce(
  outcome: Outcome,
  source: CheckoutSource,
  run: RunInHand,
  repeat: number,
): Promise<Verification> {
  const { context, patience, ready, record, fresh } = run;
  const { reproduction } = outcome;
  const script = reproduction?.script ?? null;
  if (reproduction === null || script === null) return { type: "not-attempted" };
  record.phase("verifying", `${context.settings.reproduction.runs} runs`);
  const { session, directory } = await openVerification(
    fresh.issue.ref,
    sessionPorts(ready, context),
    patience.signal,
    repeat,
  );
  try {
    const request = {
      reproduction: { ...reproduction, script },
      source,
      directory,
      issueText: `${fresh.issue.title}\n${fresh.issue.body}`,
      ...context.settings.reproduction,
    };
    const ports = {
      session,
      workspace: ready,
      clock: context.ports.clock,
      ids: context.ports.ids,
      ...patience,
    };
    const verdict = await verifyReproduction(request, ports);
    const { issue } = fresh;
    // Before anything else appears on it: the screen of the last run is the picture of the failure.
    record.noteArtifacts({
      screenshot: await keepScreenshot(session, "verification.png", evidencePorts(run)),
    });
    const verification =
      verdict.type === "reproduced" || verdict.type === "flaky"
        ? await withInsight(verdict, issue, request, ports, context)
        : verdict;
    await record.keep("verification.json", JSON.stringify(redactSecretsIn(verification), null, 2));
    return verification;
  } finally {
    await session.destroy();
    record.noteArtifacts({ verification: record.pathOf("verification.cast") });
    const place = "the output of its reproduction";
    cleanLater(session, place, run, async () => {
      const recording = await keepRecording(session, "verification.cast", evidencePorts(run));
      record.noteArtifacts({ verification: recording });
    });
    await searchEvidence(session, place, run);
  }
}
