import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "agent-tty";
import { startDeadline } from "agent-tty/kit";
import { evidenceMarker, isFreeOfBug } from "../../../evidence/index.ts";
import { type IssueRef, issueKey, type RepositoryName } from "../../../github/index.ts";
import { type ReadyWorkspace, throughLoss, workspaceName } from "../../../workspaces/index.ts";
import type { Reproduction } from "../../outcome.ts";
import { secretLeaked } from "../../quarantine/index.ts";
import {
  isGraded,
  isMasked,
  type ReproductionCheck,
  type StoredReproduction,
  withCheck,
} from "../../reproductions/index.ts";
import type { Verification } from "../../verification.ts";
import type { BatchPorts } from "../batch-context.ts";
import { type CheckoutFacts, checkoutSource } from "../session/index.ts";
import { placeIn } from "./hold-place.ts";
import { destroyWorkspace } from "../lock/index.ts";
import { keepRecording } from "../evidence/index.ts";
import { runDirectory } from "../run-directory.ts";
import { describeFailure } from "../failures.ts";
import type { BatchSettings } from "../settings.ts";
import type { SummaryError } from "../summary.ts";
import { type VerifiedReproduction, verifyReproduction } from "./verify-reproduction.ts";

/** The present verdict of a stored reproduction. */
export interface VerifiedIssue {
  repo: RepositoryName;
  number: number;
  title: string;
  /** `stopped`: a signal ended the command before the verdict was known. */
  verdict: "still-broken" | "flaky" | "fixed" | "locked" | "impossible" | "failed" | "stopped";
  matchedRuns: number;
  runs: number;
  commit: string | null;
  /** The verdict of the previous check. */
  before: ReproductionCheck["verdict"] | null;
  recording: string | null;
  error: SummaryError | null;
}

export interface VerifyContext extends CheckoutFacts {
  runId: string;
  settings: Pick<
    BatchSettings,
    "checkout" | "reproduction" | "workspacePrefix" | "runDeadlineMs" | "sessionLogBytes"
  >;
  ports: Pick<
    BatchPorts,
    | "bundle"
    | "provider"
    | "sessionHome"
    | "runsDirectory"
    | "reproductions"
    | "parent"
    | "clock"
    | "ids"
    | "observe"
    | "canaries"
    | "cleaner"
  >;
  stop: AbortSignal;
}

/**
 * Runs a stored reproduction again, in a Coder workspace of its own and without a Triage Agent, and stores the verdict with it
 * (T8). It takes the issue's lock, so that it never runs beside a Triage Run of the same issue. Never rejects.
 */
export async function verifyStored(
  stored: StoredReproduction,
  context: VerifyContext,
): Promise<VerifiedIssue> {
  const ref: IssueRef = { repo: stored.repo as RepositoryName, number: stored.number };
  const nothing: VerifiedIssue = {
    ...ref,
    title: stored.title,
    verdict: "failed",
    matchedRuns: 0,
    runs: 0,
    commit: null,
    before: stored.checks.at(-1)?.verdict ?? null,
    recording: null,
    error: null,
  };
  if (isMasked(stored)) return { ...nothing, verdict: "impossible", error: MASKED };
  try {
    return { ...nothing, ...(await verifyUnderLock(ref, stored, context)) };
  } catch (error) {
    return { ...nothing, ...endedBy(error, context.stop) };
  }
}

/** Returns the error for the report, or the verdict `stopped` after a stop, which is no failure and has no remedy. */
function endedBy(error: unknown, stop: AbortSignal): Partial<VerifiedIssue> {
  return stop.aborted ? { verdict: "stopped" } : { error: describeFailure(error) };
}

const MASKED: SummaryError = {
  code: "REPRODUCTION_UNPROVEN",
  message:
    "the stored reproduction is not the one that was verified: what looks like a secret was masked in it",
  remedy: "Triage the issue again, or replace the stored reproduction by one without such a value.",
};

async function verifyUnderLock(
  ref: IssueRef,
  stored: StoredReproduction,
  context: VerifyContext,
): Promise<Partial<VerifiedIssue>> {
  const { ports, settings, runId, stop } = context;
  const { provider, parent, clock } = ports;
  const name = workspaceName({ ...ref, prefix: settings.workspacePrefix });
  const created = await provider.create({ name, lease: { runId, issueKey: issueKey(ref), parent } }, stop);
  if (created.type === "locked") return { verdict: "locked" };
  const { workspace } = created;
  let seen: Partial<VerifiedIssue>;
  try {
    using deadline = startDeadline(
      clock,
      `the verification of ${issueKey(ref)}`,
      settings.runDeadlineMs,
      stop,
    );
    const ready = await workspace.ready(deadline.signal, () => undefined);
    seen = await throughLoss(ready, deadline.signal, (repeat) =>
      verifyIn(ready, ref, stored, { ...context, repeat }, deadline.signal),
    );
  } catch (error) {
    seen = endedBy(error, stop);
  }
  const result = await destroyWorkspace(workspace, ports);
  return result.type === "stranded" ? { ...seen, error: describeFailure(result.error) } : seen;
}

async function verifyIn(
  ready: ReadyWorkspace,
  ref: IssueRef,
  stored: StoredReproduction,
  context: VerifyContext & { repeat: number },
  signal: AbortSignal,
): Promise<Partial<VerifiedIssue>> {
  const { ports, settings } = context;
  const endsMs = ports.clock.monotonicMs() + settings.runDeadlineMs;
  const remainingMs = (): number => Math.max(1, Math.round(endsMs - ports.clock.monotonicMs()));
  const source = await checkoutSource(ref, ready, context, signal);
  // Its Coder workspace is new and has seen no Triage Agent (V1).
  const place = placeIn(ref, "fresh", ready, context, context.repeat);
  const session = await place.openSession(signal);
  const beside: Session[] = [];
  const openBeside = async (): Promise<Session> => {
    const opened = await place.openSession(signal);
    beside.push(opened);
    return opened;
  };
  let seen: Partial<VerifiedIssue> = {};
  try {
    const reproduction = { ...asReproduction(stored), script: stored.script };
    // The issue's text is not stored: what the script names was judged by it in the graded run before.
    const issueText = stored.checks.some(isGraded) ? `${stored.title}\n${stored.script}` : stored.title;
    const { directory, kind: placeKind } = place;
    const { reproduction: runSettings } = settings;
    const scriptHash = null;
    const request = {
      reproduction,
      source,
      copyOf: null,
      directory,
      placeKind,
      issueText,
      scriptHash,
      ...runSettings,
    };
    const { clock, ids } = ports;
    const verifying = { session, openBeside, workspace: ready, clock, ids, signal, remainingMs };
    const verified = await verifyReproduction(request, verifying);
    seen = await conclude(verified, stored, context);
  } finally {
    let isLeaked = false;
    for (const one of [session, ...beside]) {
      await one.destroy();
      const hit = await ports.cleaner.clean(one.directory);
      if (hit === null) continue;
      isLeaked = true;
      seen = { ...seen, error: describeFailure(secretLeaked(hit, "the output of its reproduction")) };
    }
    const keep = keepBelow(runDirectory(ports.runsDirectory, context.runId, ref));
    const recording = isLeaked ? null : await keepRecording(session, "verification.cast", { ...ports, keep });
    seen = { ...seen, recording };
  }
  return seen;
}

/** Returns the verdict, and stores it with the reproduction unless it is `impossible`. */
async function conclude(
  { verification, evidence, commit }: VerifiedReproduction,
  stored: StoredReproduction,
  { runId, ports }: VerifyContext,
): Promise<Partial<VerifiedIssue>> {
  if (verification.type === "impossible" || verification.type === "not-attempted") {
    const message = verification.type === "impossible" ? verification.reason : "there is no script";
    const remedy =
      "Correct --ref, or `checkout` in the config file, or install what is missing in the Coder workspace template.";
    return { verdict: "impossible", error: { code: "VERIFICATION_IMPOSSIBLE", message, remedy } };
  }
  if (verification.type === "unproven") {
    const message = `the reproduction proves nothing: ${verification.reason}`;
    const remedy =
      verification.grade.verdict === "environment"
        ? "Install what it needs in the Coder workspace template, or replace the stored reproduction."
        : "Replace the stored reproduction with one that calls the product and checks its result.";
    return { verdict: "impossible", error: { code: "REPRODUCTION_UNPROVEN", message, remedy } };
  }
  if (verification.type === "not-reproduced" && !isFixed(verification, stored)) {
    const codes = [...new Set(verification.runs.map(({ exitCode }) => exitCode ?? "none"))].join(", ");
    const message = `the reproduction fails in a different way than the bug: it ended with exit code ${codes} and without the reported text`;
    const remedy =
      "Look at the recording, and replace the stored reproduction with one that fits the current product.";
    return { verdict: "impossible", error: { code: "REPRODUCTION_UNPROVEN", message, remedy } };
  }
  const runs = verification.runs.length;
  const [verdict, matchedRuns] = verdictOf(verification, runs);
  const at = new Date(ports.clock.nowMs()).toISOString();
  const grade = evidence === null ? null : evidenceMarker(evidence);
  await ports.reproductions.save(
    withCheck(stored, { at, runId, commit, verdict, matchedRuns, runs, evidence: grade }),
  );
  return { verdict, matchedRuns, runs, commit };
}

/**
 * Returns whether the runs show that the bug is gone. A script that no longer fits the product, or that never ran, does not show
 * that.
 */
function isFixed(
  { runs }: Extract<Verification, { type: "not-reproduced" }>,
  stored: StoredReproduction,
): boolean {
  return runs.length > 0 && runs.every(({ exitCode }) => isFreeOfBug(stored, exitCode));
}

function verdictOf(
  verification: Extract<Verification, { type: "reproduced" | "flaky" | "already-fixed" | "not-reproduced" }>,
  runs: number,
): [ReproductionCheck["verdict"], number] {
  switch (verification.type) {
    case "reproduced":
      return ["still-broken", runs];
    case "flaky":
      return ["flaky", verification.matchedRuns];
    case "already-fixed":
    case "not-reproduced":
      return ["fixed", 0];
  }
}

function asReproduction({ expect }: StoredReproduction): Reproduction {
  return {
    attempted: true,
    reproduced: true,
    script: null,
    expect,
    expected: "",
    actual: "",
    environment: "",
  };
}

function keepBelow(directory: string): (fileName: string, content: string) => Promise<string> {
  return async (fileName, content) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, fileName);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  };
}
