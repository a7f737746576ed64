import type { Session } from "agent-tty";
import { plainText } from "../../github/index.ts";
import { shellQuote } from "../../workspaces/index.ts";
import { type CommitVerdict, judged, nextStep, startBisection } from "../reproductions/index.ts";
import type { FirstBad, ReproductionRun } from "../verification.ts";
import {
  PRISTINE,
  RUNS_VARIABLE,
  runScript,
  type VerificationPorts,
  type VerificationRequest,
} from "./verify-reproduction.ts";

const BISECT = "bisect";
/** Of the default branch's own line: merged branches count as one commit. */
const MAX_COMMITS = 4_096;
const LISTING_MAX_BYTES = 256 * 1024;
/** By the convention of `git bisect run`: this commit cannot be tested. */
const SKIP = 125;

/**
 * Searches the checkout's history for the first commit that has the bug, for at most `budgetMs`. Every commit is judged by
 * the parent in a checkout of its own, with its set-up, like the verification itself.
 */
export async function bisectReproduction(
  request: VerificationRequest,
  budgetMs: number,
  ports: VerificationPorts,
): Promise<FirstBad> {
  const endsMs = ports.clock.monotonicMs() + budgetMs;
  const leftMs = (): number => Math.min(ports.remainingMs(), endsMs - ports.clock.monotonicMs());
  const bounded = { ...ports, remainingMs: () => Math.max(1, leftMs()) };
  const listing = `git -C ${pristine} rev-list --first-parent --max-count=${MAX_COMMITS} HEAD`;
  const commits = ((await outputOf(listing, ports)) ?? "").match(/^[0-9a-f]{40,64}$/gm) ?? [];
  if (commits.length < 2) return notFound("The checkout has no history.");
  let bisection = startBisection(commits.length);
  for (;;) {
    const step = nextStep(bisection);
    if (step.type === "always-bad") return notFound("Every commit that could be tested has the problem.");
    const commit = commits[step.index] ?? "";
    if (step.type === "found") {
      const subject = (await outputOf(`git -C ${pristine} show -s --format=%s ${commit}`, ports)) ?? "";
      return {
        type: "found",
        commit,
        subject: plainText(subject).trim().slice(0, 200),
        isExact: step.isExact,
      };
    }
    if (leftMs() <= 0) {
      const newest = commits[bisection.bad] ?? "";
      return notFound(
        `The time for the search ended; ${newest.slice(0, 12)} and everything since has the problem.`,
      );
    }
    const verdict = await judge(commit, request, bounded);
    if (verdict === null) return notFound("The Session ended during the search.");
    bisection = judged(bisection, step.index, verdict);
  }
}

const pristine = `"$${RUNS_VARIABLE}/${PRISTINE}"`;

async function judge(
  commit: string,
  request: VerificationRequest,
  ports: VerificationPorts,
): Promise<CommitVerdict | null> {
  const place = `cd "$${RUNS_VARIABLE}" && rm -rf ${BISECT} && cp -a ${PRISTINE} ${BISECT} && cd ${BISECT}`;
  const checkout = `git checkout --quiet --force --detach ${shellQuote(commit)}`;
  for (const commandLine of [`${place} && ${checkout}`, ...request.source.settings.setup]) {
    const { session, signal } = ports;
    const result = await session.run(commandLine, { callerTimeoutMs: ports.remainingMs(), signal });
    if (result.type === "interrupted") return null;
    if (result.type === "timed-out") {
      await stopCommand(session);
      return "untestable";
    }
    if (result.exitCode !== 0) return "untestable";
  }
  const run = await runScript(request, ports);
  return run === null ? null : verdictOf(run, request);
}

/** A run that fails in another way than the bug does says nothing: the commit may lack what the script needs. */
function verdictOf(run: ReproductionRun, { reproduction }: VerificationRequest): CommitVerdict {
  if (run.matched) return "bad";
  if (run.exitCode === null || run.exitCode === SKIP) return "untestable";
  const isShownBySuccess =
    reproduction.expect?.exitCode === 0 && (reproduction.expect.outputContains ?? null) === null;
  return (run.exitCode === 0) === isShownBySuccess ? "untestable" : "good";
}

async function stopCommand(session: Session): Promise<void> {
  if (session.status() === "running") await session.sendKeys(["Ctrl+C"]);
}

async function outputOf(
  commandLine: string,
  { session, signal, remainingMs }: VerificationPorts,
): Promise<string | null> {
  const result = await session.run(commandLine, { callerTimeoutMs: remainingMs(), signal });
  if (result.type !== "completed" || result.exitCode !== 0) return null;
  return (await session.readOutput(result.output, LISTING_MAX_BYTES)).replaceAll("\r\n", "\n");
}

function notFound(reason: string): FirstBad {
  return { type: "not-found", reason };
}
