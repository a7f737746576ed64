import { dirname } from "node:path";
import { systemClock } from "agent-tty/kit";
import { type Checkout, readCheckout } from "./checkout.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { type Attempt, type Findings, mentionedExports } from "./findings.ts";
import { oneLine } from "./inert-text.ts";
import { readIssueFile } from "./issue-file.ts";
import { writeOutcomeFile } from "./outcome-file.ts";
import { findReportedCode, type ReportedCode } from "./reported-code.ts";
import { runReproduction } from "./reproduction-runs.ts";
import { renderReproductionScript } from "./reproduction-script.ts";
import { createScreen } from "./screen.ts";

/**
 * The demo's Triage Agent: a program with a screen that triages one issue by rule. It stands where a coding agent
 * stands in earnest, under the same contract: AFK_TRIAGE_ISSUE_FILE in, AFK_TRIAGE_OUTCOME_FILE out, the checkout as
 * working directory. Exit code 0 when an outcome was written.
 */
async function main(): Promise<void> {
  const issuePath = requiredPath("AFK_TRIAGE_ISSUE_FILE");
  const outcomePath = requiredPath("AFK_TRIAGE_OUTCOME_FILE");
  const startedMs = systemClock.monotonicMs();
  const issue = readIssueFile(issuePath);
  const screen = createScreen(process.stdout, `${issue.repo}#${issue.number}  ${oneLine(issue.title, 200)}`);
  screen.end("Read the issue", `by ${issue.author}, ${issue.comments.length} comment(s)`);

  screen.begin("Look into the checkout");
  const checkout = readCheckout(process.cwd());
  const mentioned = mentionedExports(issue, checkout);
  const names = mentioned.map(({ name, file }) => `${name} in ${file}`).join(", ");
  screen.end("Look into the checkout", names || "the report names nothing of this code");

  screen.begin("Find code to run");
  const { found, refused } = findReportedCode(issue);
  const refusal = refused.length === 0 ? "" : `; ${refused.length} command(s) are not going to be run`;
  screen.end("Find code to run", `${found === null ? "none" : "the reporter's code"}${refusal}`);

  const subject = { issueKey: `${issue.repo}#${issue.number}`, checkout };
  const attempt = await tryReproduction(found, subject, dirname(outcomePath), screen);
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
  const elapsedSeconds = (systemClock.monotonicMs() - startedMs) / 1_000;
  screen.end("Write the outcome", `after ${elapsedSeconds.toFixed(1)} s`);
}

async function tryReproduction(
  code: ReportedCode | null,
  { issueKey, checkout }: { issueKey: string; checkout: Checkout },
  scratch: string,
  screen: ReturnType<typeof createScreen>,
): Promise<Attempt> {
  screen.begin("Run the reproduction");
  if (code === null) {
    screen.end("Run the reproduction", "nothing to run");
    return { type: "none" };
  }
  const script = renderReproductionScript(code, issueKey, checkout);
  const runs = await runReproduction({ script, checkout: process.cwd(), scratch }, ({ run, output }) =>
    screen.show("Run the reproduction", `run ${run}`, output),
  );
  const shown = runs.filter(({ result }) => result === "shown").length;
  screen.end("Run the reproduction", `the bug showed in ${shown} of ${runs.length} runs`);
  return { type: "ran", code, script, runs };
}

function requiredPath(name: string): string {
  const path = process.env[name];
  if (path === undefined || path === "") {
    throw new Error(`${name} is not set: this program is started by afk-triage, in a checkout`);
  }
  return path;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`demo Triage Agent: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
