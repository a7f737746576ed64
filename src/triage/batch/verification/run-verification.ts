import { extname } from "node:path";
import type { Session } from "agent-tty";
import { redactSecretsIn } from "../../../github/index.ts";
import {
  type EvidenceSummary,
  type Place,
  type RegressionTest,
  withFindings,
} from "../../../evidence/index.ts";
import { throughLoss } from "../../../workspaces/index.ts";
import type { Reproduction } from "../../outcome.ts";
import type { Verification } from "../../verification.ts";
import type { CheckoutSource } from "../session/index.ts";
import {
  cleanLater,
  evidencePorts,
  keepRecording,
  keepScreenshot,
  searchEvidence,
} from "../evidence/index.ts";
import { orAlreadyFixed } from "./or-already-fixed.ts";
import { withInsight } from "./verification-insight.ts";
import type { Placed } from "./hold-place.ts";
import { type VerifiedVersion, verifyReproduction } from "./verify-reproduction.ts";
import type { RunInHand } from "../run-in-hand.ts";

/** A reproduction, and the earlier issue that its author believes to be the same bug; null: none. */
export interface Claimed {
  reproduction: Reproduction;
  duplicateOf: number | null;
  /** The hash of the script as it was read; null if it was not hashed then. */
  scriptHash: string | null;
}

/**
 * Verifies the reproduction in a place and a Session that the Triage Agent never had (policy 2, V1). After a lost connection it
 * begins again in a new directory (T12). `placed` returns the place of each repeat, counted from 0.
 */
export async function runVerification(
  claimed: Claimed,
  source: CheckoutSource,
  placed: Placed,
  run: RunInHand,
): Promise<Verification> {
  return throughLoss(placed(0).workspace, run.patience.signal, (repeat) =>
    verifyOnce(claimed, source, (version) => placed(repeat, version), run),
  );
}

async function verifyOnce(
  { reproduction, duplicateOf, scriptHash }: Claimed,
  source: CheckoutSource,
  placeOf: (version: VerifiedVersion) => Place,
  run: RunInHand,
): Promise<Verification> {
  const { context, patience, record, fresh } = run;
  const { script } = reproduction;
  if (script === null) return { type: "not-attempted" };
  // A flaky bug gets more runs, and control runs follow.
  record.phase("verifying", `at least ${context.settings.reproduction.runs} runs`);
  const [place, reported] = [placeOf("newest"), placeOf("reported")];
  const session = await place.openSession(patience.signal);
  const beside: Session[] = [];
  const openIn = (where: Place) => async (signal: AbortSignal) => {
    const opened = await where.openSession(signal);
    beside.push(opened);
    return opened;
  };
  try {
    const request = {
      reproduction: { ...reproduction, script },
      source,
      copyOf: null,
      directory: place.directory,
      placeKind: place.kind,
      scriptHash,
      issueText: withoutScript(`${fresh.issue.title}\n${fresh.issue.body}`, script),
      ...context.settings.reproduction,
    };
    const ports = {
      session,
      openBeside: openIn(place),
      workspace: place.workspace,
      clock: context.ports.clock,
      ids: context.ports.ids,
      tell: (step: string) => record.phase("verifying", step),
      ...patience,
    };
    const { verification: verdict, evidence, screen, commit } = await verifyReproduction(request, ports);
    // The grade of the evidence is noted even if the runs do not show the bug (V7).
    record.note({ evidence });
    const { issue } = fresh;
    record.noteArtifacts({
      screenshot: await keepScreenshot(session, "verification.png", evidencePorts(run), screen),
    });
    const verification =
      verdict.type === "reproduced" || verdict.type === "flaky"
        ? await withInsight(
            verdict,
            commit,
            issue,
            { ...request, likely: likelyOf(duplicateOf, run) },
            ports,
            context,
          )
        : await orAlreadyFixed(
            verdict,
            commit,
            issue,
            request,
            { ...ports, reported: { directory: reported.directory, open: openIn(reported) } },
            context,
          );
    record.note({ evidence: gradeOf(verification, evidence) });
    const test = testOf(verification);
    if (test?.type === "proven")
      await record.keep(
        `regression-test${extname(test.planned.path)}`,
        redactSecretsIn(test.planned.content),
      );
    await record.keep("verification.json", JSON.stringify(redactSecretsIn(verification), null, 2));
    return verification;
  } finally {
    for (const [index, one] of [session, ...beside].entries()) await keepSession(one, index, run);
  }
}

/** Ends a Session of the runs and keeps its recording: `verification.cast` of the first, `verification-2.cast` of the second. */
async function keepSession(session: Session, index: number, run: RunInHand): Promise<void> {
  const { record } = run;
  const fileName = index === 0 ? "verification.cast" : `verification-${index + 1}.cast`;
  const what = "the output of its reproduction";
  await session.destroy();
  if (index === 0) record.noteArtifacts({ verification: record.pathOf(fileName) });
  cleanLater(session, what, run, async (isLeaked) => {
    const recording = isLeaked ? null : await keepRecording(session, fileName, evidencePorts(run));
    if (index === 0) record.noteArtifacts({ verification: recording });
  });
  await searchEvidence(session, what, run);
}

/**
 * Removes the script's own lines from the issue's text, because a name that occurs only in the script does not count as mentioned
 * (V3: wrong-call). Compares lines without the spaces around them.
 */
function withoutScript(text: string, script: string): string {
  const own = new Set(script.split("\n").map((line) => line.trim()));
  const isKept = (line: string): boolean => line.trim() === "" || !own.has(line.trim());
  return text.split("\n").filter(isKept).join("\n");
}

/**
 * Returns the grade of the runs on which the outcome is based, with the range and the regression test that were found after them
 * (V7). For a bug that is already fixed, these are the runs on the reported version.
 */
function gradeOf(verification: Verification, grade: EvidenceSummary | null): EvidenceSummary | null {
  if ("insight" in verification) return verification.insight.grade ?? grade;
  if (verification.type !== "already-fixed") return grade;
  const { fixed, test } = verification;
  return withFindings(fixed.grade, { range: fixed.range, test: test?.type === "proven" ? test.grade : null });
}

/** Returns the issues that this one may be a duplicate of, with the Triage Agent's choice first. */
function likelyOf(duplicateOf: number | null, { offered }: RunInHand): number[] {
  const numbers = offered.map(({ number }) => number);
  return numbers.toSorted((a, b) => Number(b === duplicateOf) - Number(a === duplicateOf));
}

function testOf(verification: Verification): RegressionTest | null {
  if (verification.type === "already-fixed") return verification.test;
  return "insight" in verification ? verification.insight.test : null;
}
