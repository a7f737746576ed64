import { type CoderWorkspace } from "../../workspaces/index.ts";
import {
  examineByTriageAgent,
  observeReproduction,
  type Outcome,
  proposesSecurityReport,
  type Reproduction,
  type RunInHand,
  showsSecurityReport,
  type Verification,
  verifyInPlace,
  writesSecurityReport,
} from "../../triage/index.ts";
import { type Observation, showsClaim } from "../../evidence/index.ts";
import { claimFromRun, type FoundReproduction } from "../found/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptIssue } from "../swept/index.ts";

/** The result of examining an issue, by a script or a Triage Agent. */
export interface Examination {
  origin: SweptIssue["origin"];
  verification: Verification;
  outcome: Outcome | null;
  tried: string;
  reproduction: SweptIssue["reproduction"];
  /** Whether the Triage Agent's outcome, valid or not, or the output of any run indicates a vulnerability (S16). */
  isVulnerability: boolean;
}

export type Claims = readonly FoundReproduction[];

/**
 * Returns the result of examining an issue, the cheapest source first: it runs reproductions from the home or the issue, and starts
 * a Triage Agent only if there are none. It ends with the first conclusive reproduction.
 */
export async function examineSwept(
  claims: Claims,
  workspace: CoderWorkspace,
  run: RunInHand,
  { asksTriageAgent }: Pick<SweepSettings, "asksTriageAgent">,
): Promise<Examination> {
  let best: Examination | null = null;
  let isVulnerability = false;
  for (const [attempt, claim] of claims.entries()) {
    const examined = await examineClaim(claim, attempt, workspace, run);
    isVulnerability ||= examined.isVulnerability;
    if (best === null || rankOf(examined.verification) < rankOf(best.verification)) best = examined;
    best = { ...best, isVulnerability };
    if (rankOf(best.verification) === 0) return best;
  }
  if (best !== null) return best;
  return asksTriageAgent ? askTriageAgent(workspace, run) : NOTHING_TO_RUN;
}

const NOTHING_TO_RUN: Examination = {
  origin: "none",
  verification: { type: "not-attempted" },
  outcome: null,
  tried: "The issue contains no script that could be run, and no Triage Agent was asked.",
  reproduction: null,
  isVulnerability: false,
};

/** Returns the rank of a verification: 0 is conclusive; otherwise, a lower number says more. */
function rankOf(verification: Verification): number {
  switch (verification.type) {
    case "reproduced":
    case "flaky":
    case "already-fixed":
      return 0;
    case "unproven":
      return verification.grade.verdict === "wrong-call" ? 1 : 3;
    case "impossible":
      return 4;
    case "not-reproduced":
      return 2;
    case "not-attempted":
      return 5;
  }
}

async function examineClaim(
  claim: FoundReproduction,
  attempt: number,
  workspace: CoderWorkspace,
  run: RunInHand,
): Promise<Examination> {
  const { origin, script } = claim;
  const observed = origin === "stored" ? [] : await observeReproduction(script, run, attempt);
  const expect = expectationOf(claim, observed);
  const seen = observed.map(sentenceOf).join(" ");
  if (expect === null) {
    const reproduction = { script, expect: { exitCode: null, outputContains: null } };
    const isVulnerability = showsSecurityReport(observed);
    const verification = shownByNothing(script);
    return { origin, verification, outcome: null, tried: seen, reproduction, isVulnerability };
  }
  const lock = { lock: workspace, hadTriageAgent: false };
  const claimed = { reproduction: asReproduction(script, expect), duplicateOf: null, scriptHash: null };
  const verification = await verifyInPlace(claimed, lock, run, attempt);
  const tried = seen === "" ? "The script was run in clean checkouts." : seen;
  const isVulnerability = showsSecurityReport(observed) || showsSecurityReport(verification);
  return { origin, verification, outcome: null, tried, reproduction: { script, expect }, isVulnerability };
}

/**
 * Returns the expectation that the issue states if a run confirms it or nothing else is known; otherwise a claim from the
 * observed runs.
 */
function expectationOf(
  { expect, said }: FoundReproduction,
  observed: readonly Observation[],
): FoundReproduction["expect"] {
  if (observed.some(({ exitCode, output }) => showsClaim({ expect }, exitCode, output))) return expect;
  for (const one of observed) {
    const claim = claimFromRun(one, said);
    if (claim !== null) return claim;
  }
  return expect;
}

/** Returns the verification if neither the reported version nor the default branch showed anything that the issue mentions. */
function shownByNothing(script: string): Verification {
  const reproduction = asReproduction(script, null);
  return { type: "not-reproduced", runs: [], reproduction, grade: null };
}

function sentenceOf({ version, exitCode, reason }: Observation): string {
  const where = version === null ? "the default branch" : `version ${version}`;
  if (reason !== null) return `On ${where} the script could not be run: ${reason}`;
  const how = exitCode === null ? "did not end in its time" : `ended with exit code ${exitCode}`;
  return `On ${where} the script ${how}.`;
}

function asReproduction(script: string, expect: Reproduction["expect"]): Reproduction {
  return { attempted: true, reproduced: true, script, expect, expected: "", actual: "", environment: "" };
}

async function askTriageAgent(workspace: CoderWorkspace, run: RunInHand): Promise<Examination> {
  const { parsed, verification } = await examineByTriageAgent(workspace, run);
  const outcome = parsed.type === "valid" ? parsed.outcome : null;
  const isDeclared =
    parsed.type === "valid" ? proposesSecurityReport(parsed.outcome) : writesSecurityReport(parsed.text);
  const { script = null, expect = null } = outcome?.reproduction ?? {};
  return {
    origin: "triage-agent",
    verification,
    outcome,
    tried: outcome?.summary ?? "The Triage Agent came to no result.",
    reproduction:
      script === null
        ? null
        : {
            script,
            expect: expect ?? { exitCode: null, outputContains: null },
          },
    isVulnerability: isDeclared || showsSecurityReport(verification),
  };
}
