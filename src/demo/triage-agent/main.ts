import { systemClock } from "agent-tty/kit";
import { triageIssue } from "./triage-issue.ts";

/**
 * The demo's Triage Agent: a program with a screen that triages one issue by rules. It replaces a real coding agent and follows
 * the same contract: it reads AFK_TRIAGE_ISSUE_FILE, writes AFK_TRIAGE_OUTCOME_FILE and has the checkout as its working
 * directory. Exit code 0 when an outcome was written.
 */
async function main(): Promise<void> {
  await triageIssue({
    issuePath: requiredPath("AFK_TRIAGE_ISSUE_FILE"),
    outcomePath: requiredPath("AFK_TRIAGE_OUTCOME_FILE"),
    checkout: process.cwd(),
    stream: process.stdout,
    clock: systemClock,
  });
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
