import { dirname } from "node:path";
import type { Clock } from "agent-tty/kit";
import { type Checkout, readCheckout } from "./checkout.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { type Attempt, type Findings, mentionedExports } from "./findings.ts";
import { oneLine } from "./inert-text.ts";
import { readIssueFile } from "./issue-file.ts";
import { findReportedCode, type ReportedCode } from "./reported-code.ts";
import { runReproduction } from "./reproduction-runs.ts";
import { renderReproductionScript } from "./reproduction-script.ts";
import { createScreen, type Screen, type ScreenStream } from "./screen.ts";
import { renameSync, writeFileSync } from "node:fs";
import type { Outcome } from "../../triage/index.ts";

export interface TriagePlace {
  issuePath: string;
  outcomePath: string;
  /** The directory of the code. */
  checkout: string;
  stream: ScreenStream;
  clock: Clock;
}

/**
 * Triages one issue by rules: reads it, runs the reported code, decides, and writes the outcome. Shows the progress on the
 * stream.
 */
export async function triageIssue(place: TriagePlace): Promise<void> {
  const { issuePath, outcomePath, clock } = place;
  const startedMs = clock.monotonicMs();
  const issue = readIssueFile(issuePath);
  const screen = createScreen(place.stream, `${issue.repo}#${issue.number}  ${oneLine(issue.title, 200)}`);
  screen.end("Read the issue", `by ${issue.author}, ${issue.comments.length} comment(s)`);

  screen.begin("Look into the checkout");
  const checkout = readCheckout(place.checkout);
  const mentioned = mentionedExports(issue, checkout);
  const names = mentioned.map(({ name, file }) => `${name} in ${file}`).join(", ");
  screen.end("Look into the checkout", names || "the report names nothing of this code");

  screen.begin("Find code to run");
  const { found, refused } = findReportedCode(issue);
  const refusal = refused.length === 0 ? "" : `; ${refused.length} command(s) are not going to be run`;
  screen.end("Find code to run", `${found === null ? "none" : "the reporter's code"}${refusal}`);

  const subject = { issueKey: `${issue.repo}#${issue.number}`, checkout };
  const attempt = await tryReproduction(found, subject, place, screen);
  screen.begin("Weigh what was found");
  const nodeVersion = process.versions.node;
  const findings: Findings = {
    issue,
    checkout,
    mentioned,
    refused,
    attempt,
    nodeVersion,
    platform: process.platform,
  };
  const outcome = decideOutcome(findings);
  screen.end("Weigh what was found", `${outcome.category} → ${outcome.outcome}: ${outcome.summary}`);

  screen.begin("Write the outcome");
  writeOutcomeFile(outcomePath, outcome);
  const elapsedSeconds = (clock.monotonicMs() - startedMs) / 1_000;
  screen.end("Write the outcome", `after ${elapsedSeconds.toFixed(1)} s`);
}

async function tryReproduction(
  code: ReportedCode | null,
  { issueKey, checkout }: { issueKey: string; checkout: Checkout },
  place: TriagePlace,
  screen: Screen,
): Promise<Attempt> {
  screen.begin("Run the reproduction");
  if (code === null) {
    screen.end("Run the reproduction", "nothing to run");
    return { type: "none" };
  }
  const script = renderReproductionScript(code, issueKey, checkout);
  const request = {
    script,
    checkout: place.checkout,
    scratch: dirname(place.outcomePath),
    clock: place.clock,
  };
  const runs = await runReproduction(request, ({ run, output }) =>
    screen.show("Run the reproduction", `run ${run}`, output),
  );
  const shown = runs.filter(({ result }) => result === "shown").length;
  screen.end("Run the reproduction", `the bug showed in ${shown} of ${runs.length} runs`);
  return { type: "ran", code, script, runs };
}

/** Writes the file atomically, so that a reader never sees half of it. */
function writeOutcomeFile(path: string, outcome: Outcome): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, `${JSON.stringify(outcome, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
