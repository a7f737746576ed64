import { messageOf } from "agent-tty/kit";
import { alreadyFixed, proveTest } from "../../../evidence/index.ts";
import { type Issue, issueKey } from "../../../github/index.ts";
import type { Verification } from "../../verification.ts";
import type { BatchContext } from "../batch-context.ts";
import type { VerificationPorts, VerificationRequest } from "./verify-reproduction.ts";

/** Runs a script that shows nothing on `head`, the default branch, on the version that the report names (V5). */
export async function orAlreadyFixed(
  verdict: Verification,
  head: string | null,
  { ref, title, body }: Issue,
  { reproduction, source, timeoutMs, directory, runs }: VerificationRequest,
  ports: VerificationPorts,
  { settings, work, ports: { observe } }: Pick<BatchContext, "settings" | "ports" | "work">,
): Promise<Verification> {
  const { rangeMs } = settings.reproduction;
  if (verdict.type !== "not-reproduced" || rangeMs === null || head === null) return verdict;
  try {
    const request = {
      texts: [`${title}\n${body}`, reproduction.environment],
      productNames: [ref.repo, ref.repo.slice(ref.repo.indexOf("/") + 1)],
      head,
      // A script that draws from chance was run more often on the default branch: here, too.
      runs: Math.max(runs, verdict.runs.length),
      budgetMs: Math.min(rangeMs, ports.remainingMs() * 0.8),
      claim: { script: reproduction.script, expect: reproduction.expect },
      setup: source.settings.setup,
      timeoutMs,
    };
    const fixed = await alreadyFixed(request, { ...ports, directory });
    if (fixed === null) return verdict;
    if (!work.makesRegressionTests) return { ...verdict, type: "already-fixed", fixed, test: null };
    const subject = { claim: request.claim, issueKey: issueKey(ref), number: ref.number };
    const proving = { ...subject, bad: fixed.commit, fixed: head, setup: request.setup, timeoutMs };
    const test = await proveTest(proving, { ...ports, directory });
    return { ...verdict, type: "already-fixed", fixed, test };
  } catch (error) {
    ports.signal.throwIfAborted();
    observe({ type: "warning", message: `the reported version was not examined: ${messageOf(error)}` });
    return verdict;
  }
}
