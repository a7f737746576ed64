import type { Session } from "agent-tty";
import { messageOf } from "agent-tty/kit";
import { type AlreadyFixed, alreadyFixed, PRISTINE, proveTest } from "../../../evidence/index.ts";
import { type Issue, issueKey } from "../../../github/index.ts";
import { isWorkspaceLoss } from "../../../workspaces/index.ts";
import type { Verification } from "../../verification.ts";
import type { BatchContext } from "../batch-context.ts";
import { type InsightPorts, type VerificationRequest, verifyReproduction } from "./verify-reproduction.ts";

/** Where the runs on the reported version take place, beside those on the newest version. The caller destroys the Sessions. */
interface ReportedPlace {
  directory: string;
  open: (signal: AbortSignal) => Promise<Session>;
}

type SeenOn = Pick<AlreadyFixed, "runs" | "grade">;

/**
 * Takes a script that does not show the bug on `head`, the default branch, and verifies it on the version that the report names
 * (V5). A failure only causes a warning. Rejects when the place is lost.
 */
export async function orAlreadyFixed(
  verdict: Verification,
  head: string | null,
  { ref, title, body }: Issue,
  verified: VerificationRequest,
  ports: InsightPorts & { reported: ReportedPlace },
  { settings, work, ports: { observe } }: Pick<BatchContext, "settings" | "ports" | "work">,
): Promise<Verification> {
  const { reproduction, source, timeoutMs, directory } = verified;
  const { rangeMs } = settings.reproduction;
  if (verdict.type !== "not-reproduced" || rangeMs === null || head === null) return verdict;
  // A script with random results ran more often on the default branch, so it runs more often on the reported version, too.
  const runs = Math.max(verified.runs, verdict.runs.length);
  try {
    const request = {
      texts: [`${title}\n${body}`, reproduction.environment],
      productNames: [ref.repo, ref.repo.slice(ref.repo.indexOf("/") + 1)],
      head,
      budgetMs: () => Math.min(rangeMs, ports.remainingMs() * 0.8),
      claim: { script: reproduction.script, expect: reproduction.expect },
      setup: source.settings.setup,
      timeoutMs,
    };
    const verifyOn = async (commit: string): Promise<SeenOn | null> =>
      runsOn(commit, { ...verified, runs }, ports);
    const fixed = await alreadyFixed(request, { ...ports, directory, verifyOn });
    if (fixed === null) return verdict;
    if (!work.makesRegressionTests) return { ...verdict, type: "already-fixed", fixed, test: null };
    const subject = { claim: request.claim, issueKey: issueKey(ref), number: ref.number };
    const proving = { ...subject, bad: fixed.commit, fixed: head, setup: request.setup, timeoutMs };
    ports.tell("its regression test");
    const test = await proveTest(proving, { ...ports, directory });
    return { ...verdict, type: "already-fixed", fixed, test };
  } catch (error) {
    ports.signal.throwIfAborted();
    if (isWorkspaceLoss(error)) throw error;
    observe({ type: "warning", message: `the reported version was not examined: ${messageOf(error)}` });
    return verdict;
  }
}

/** Returns the number and grade of the runs that verified the bug on a commit; null: it was not verified there. */
async function runsOn(
  commit: string,
  verified: VerificationRequest,
  { reported, ...ports }: InsightPorts & { reported: ReportedPlace },
): Promise<SeenOn | null> {
  ports.tell("the reported version");
  const { verification, evidence } = await verifyReproduction(
    {
      ...verified,
      directory: reported.directory,
      copyOf: { from: `${verified.directory}/${PRISTINE}`, commit },
    },
    { ...ports, session: await reported.open(ports.signal), openBeside: reported.open },
  );
  if (verification.type !== "reproduced" || evidence === null) return null;
  return { runs: verification.runs.length, grade: evidence };
}
