import { parseJson } from "agent-tty/kit";
import type { RunDocument, TerminalDocument } from "../api/index.ts";
import type { TriageRunFacts } from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import { type Outcome, OUTCOME_MAX_BYTES, outcomeSchema } from "../../triage/index.ts";
import { describeFact, type RunEvidence } from "../../home/index.ts";
import { verificationDocument } from "./verification-document.ts";
import { inertBlocks } from "./inert-blocks.ts";
import { listArtifacts, readText } from "./artifacts.ts";
import type { IssueReading } from "./batch-summaries.ts";
import { pullRequestDocument, runRowDocument } from "./run-row-document.ts";

/** Everything that is known about one run: its facts, what the batch's summary adds, and the evidence that is still kept. */
export interface RunParts {
  row: RunRow;
  issue: IssueReading | null;
  evidence: RunEvidence;
  terminals: TerminalDocument[];
  isParentDead: boolean;
  nowMs: number;
}

const VERIFICATION_MAX_BYTES = 4 * 1024 * 1024;
/** The largest comment file, in bytes. GitHub accepts comments of up to 65,536 characters. */
const COMMENT_MAX_BYTES = 512 * 1024;

/** Returns the document of one run for the board's page, with its kept files. Texts are bounded. */
export async function runDocument({
  row,
  issue,
  evidence,
  terminals,
  isParentDead,
  nowMs,
}: RunParts): Promise<RunDocument> {
  const { facts } = row;
  const { files, audit, reproduction } = evidence;
  const markdown = await readText(files, "comment", COMMENT_MAX_BYTES);
  const commentUrl = facts.result?.commentUrl ?? issue?.commentUrl ?? null;
  return {
    schema: "afk-triage/board-run@1",
    run: runRowDocument(row, { issue, isParentDead, nowMs }),
    history: facts.progress.history.map(({ phase, atMs }) => ({ phase, atMs })),
    timings: issue?.timings ?? null,
    coderWorkspace: { state: facts.coderWorkspace.state, name: facts.coderWorkspace.name },
    terminals,
    outcome: outcomeDocument(await readText(files, "outcome", OUTCOME_MAX_BYTES)),
    policy: [...(facts.result?.policy ?? issue?.policy ?? decidedPolicy(audit.entries))],
    verification: verificationDocument(await readText(files, "verification", VERIFICATION_MAX_BYTES)),
    checks: (reproduction?.checks ?? []).map(({ at, verdict, matchedRuns, runs }) => ({
      at,
      verdict,
      matchedRuns,
      runs,
    })),
    comment:
      markdown === null && commentUrl === null
        ? null
        : { markdown: markdown ?? "", blocks: inertBlocks(markdown ?? ""), url: commentUrl },
    audit: { entries: audit.entries.map(auditEntry), problem: audit.problem },
    pullRequests: facts.pullRequests.map(pullRequestDocument),
    nudges: facts.nudges.map(nudge),
    artifacts: await listArtifacts(files),
  };
}

function outcomeDocument(text: string | null): RunDocument["outcome"] {
  const outcome: Outcome | undefined = outcomeSchema.safeParse(parseJson(text ?? "")).data;
  if (outcome === undefined) return null;
  const { category, confidence, summary, established, questions, brief } = outcome;
  return { category, outcome: outcome.outcome, confidence, summary, established, questions, brief };
}

type AuditEntries = RunEvidence["audit"]["entries"];

/** Returns the policy rules from the audit log, for a batch that has no summary yet. */
function decidedPolicy(entries: AuditEntries): string[] {
  return entries.flatMap(({ fact }) => (fact.type === "decided" ? [fact.policy] : [])).at(-1) ?? [];
}

function auditEntry(entry: AuditEntries[number]): RunDocument["audit"]["entries"][number] {
  const { seq, at, action, fact } = entry;
  return { seq, at, action, fact: fact.type, text: describeFact(entry) };
}

function nudge({
  kind,
  number,
  refusal,
  atMs,
}: TriageRunFacts["nudges"][number]): RunDocument["nudges"][number] {
  return { kind, pullRequest: number, atMs, refusal };
}
