import {
  proveTest,
  type Range,
  rangeInPlace,
  type RangeRequest,
  type RegressionTest,
} from "../../../evidence/index.ts";
import { type IssueRef, issueKey } from "../../../github/index.ts";
import type { InsightPorts, VerificationRequest } from "./verify-reproduction.ts";

/**
 * Returns the range of commits between which the bug begins and is fixed, searched in the place of a verification after its runs
 * (V4). Rejects when the place is lost.
 */
export async function rangeOfRun(
  range: RangeRequest,
  { reproduction, source, timeoutMs, directory }: VerificationRequest,
  { workspace, clock, signal, remainingMs, tell }: InsightPorts,
): Promise<Range> {
  const claim = { script: reproduction.script, expect: reproduction.expect };
  const settings = { claim, setup: source.settings.setup, timeoutMs };
  // Part of the time is reserved for publishing and for deleting the Coder workspace.
  const budgetMs = Math.min(range.budgetMs, remainingMs() * 0.8);
  return rangeInPlace(
    { ...range, budgetMs, ...settings },
    { workspace, directory, clock, signal, remainingMs, tell },
  );
}

/** Returns the reproduction as a test, and its results on the bad commit and, if a fixed commit is known, on that one (V6). */
export async function regressionTestOfRun(
  { bad, range, ref }: { bad: string; range: Range | null; ref: IssueRef },
  { reproduction, source, timeoutMs, directory }: VerificationRequest,
  { workspace, signal, remainingMs, tell }: InsightPorts,
): Promise<RegressionTest> {
  tell("its regression test");
  const claim = { script: reproduction.script, expect: reproduction.expect };
  const fixed = range?.firstFixed.type === "exact" ? range.firstFixed.at.commit : null;
  const subject = { claim, issueKey: issueKey(ref), number: ref.number };
  const request = { ...subject, bad, fixed, setup: source.settings.setup, timeoutMs };
  return proveTest(request, { workspace, directory, signal, remainingMs });
}
