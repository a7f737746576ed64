import {
  type EvidenceSummary,
  type Range,
  type RegressionTest,
  withFindings,
  evidenceMarker,
} from "../../../evidence/index.ts";
import { messageOf } from "agent-tty/kit";
import type { GithubReader, IssueRef } from "../../../github/index.ts";
import {
  failureSignature,
  type ReproductionLibrary,
  type StoredReproduction,
} from "../../reproductions/index.ts";
import type { Verification } from "../../verification.ts";
import type { BatchPorts, WorkFacts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { proveDuplicates } from "./prove-duplicates.ts";
import { rangeOfRun, regressionTestOfRun } from "./range-of-run.ts";
import type { InsightPorts, VerificationRequest } from "./verify-reproduction.ts";

/** The maximum number of issues that are checked and named in a comment; more would only be noise. */
const MAX_SAME_FAILURES = 5;

export type SeenReproduction = Extract<Verification, { type: "reproduced" | "flaky" }>;

/** Where reproductions are stored and compared, and how far a batch examines them. */
interface InsightDeps {
  runId: string;
  settings: Pick<BatchSettings, "reproduction" | "duplicates">;
  ports: Pick<BatchPorts, "reproductions" | "reader" | "observe" | "clock">;
  work: Pick<WorkFacts, "makesRegressionTests">;
}

/**
 * Stores a reproduction that was seen on `commit` (null: git does not know it). Then searches for its range, a regression test
 * and open issues that fail in the same way, and compares the bug with the issues that it probably duplicates. A failure only
 * causes a warning, and the verdict stays. Rejects with the signal's reason.
 */
export async function withInsight(
  seen: SeenReproduction,
  commit: string | null,
  issue: { ref: IssueRef; title: string },
  { likely, ...request }: VerificationRequest & { likely: readonly number[] },
  ports: InsightPorts,
  context: InsightDeps,
): Promise<SeenReproduction> {
  const { reproductions, reader, observe } = context.ports;
  try {
    const signature = failureSignature(seen.runs);
    await reproductions.save(toStore(seen, issue, signature, commit, context));
    const sameFailureAs = await openIssuesFailingAlike(
      issue.ref,
      signature,
      { reproductions, reader },
      ports.signal,
    );
    const { rangeMs } = context.settings.reproduction;
    const isSearched = rangeMs !== null && commit !== null && seen.type === "reproduced";
    const range = isSearched
      ? await rangeOfRun({ bad: commit, head: null, budgetMs: rangeMs }, request, ports)
      : null;
    const test =
      isSearched && context.work.makesRegressionTests
        ? await regressionTestOfRun({ bad: commit, range, ref: issue.ref }, request, ports)
        : null;
    const compared =
      isSearched && range !== null
        ? await proveDuplicates(
            { ref: issue.ref, bad: commit, range, numbers: [...likely, ...sameFailureAs] },
            request,
            ports,
            context,
          )
        : [];
    const grade = gradeWith(seen, range, test);
    return { ...seen, insight: { commit, sameFailureAs, range, test, compared, grade } };
  } catch (error) {
    ports.signal.throwIfAborted();
    observe({
      type: "warning",
      message: `the verified reproduction was not examined further: ${messageOf(error)}`,
    });
    return seen;
  }
}

/** Returns the grade together with the range and the proven test (V7). */
function gradeWith(
  { insight: { grade } }: SeenReproduction,
  range: Range | null,
  test: RegressionTest | null,
): EvidenceSummary | null {
  if (grade === null) return null;
  return withFindings(grade, { range, test: test?.type === "proven" ? test.grade : null });
}

function toStore(
  seen: SeenReproduction,
  { ref, title }: { ref: IssueRef; title: string },
  signature: string | null,
  commit: string | null,
  { runId, ports }: Pick<InsightDeps, "runId" | "ports">,
): StoredReproduction {
  const { script, expect } = seen.reproduction;
  return {
    schema: "afk-triage/reproduction@1",
    repo: ref.repo,
    number: ref.number,
    title,
    script: script ?? "",
    expect: { exitCode: expect?.exitCode ?? null, outputContains: expect?.outputContains ?? null },
    signature,
    checks: [
      {
        at: new Date(ports.clock.nowMs()).toISOString(),
        runId,
        commit,
        verdict: seen.type === "reproduced" ? "still-broken" : "flaky",
        matchedRuns: seen.type === "reproduced" ? seen.runs.length : seen.matchedRuns,
        runs: seen.runs.length,
        evidence: seen.insight.grade === null ? null : evidenceMarker(seen.insight.grade),
      },
    ],
  };
}

async function openIssuesFailingAlike(
  { repo, number }: IssueRef,
  signature: string | null,
  { reproductions, reader }: { reproductions: ReproductionLibrary; reader: GithubReader },
  signal: AbortSignal,
): Promise<number[]> {
  if (signature === null) return [];
  const alike = (await reproductions.all(repo)).filter(
    (one) => one.signature === signature && one.number !== number && one.checks.at(-1)?.verdict !== "fixed",
  );
  const open: number[] = [];
  for (const other of alike.slice(0, MAX_SAME_FAILURES)) {
    const lookup = await reader.issue({ repo, number: other.number }, signal);
    if (lookup.type === "found" && lookup.issue.state === "open") open.push(other.number);
  }
  return open;
}
