import type { DetailedSnapshot, Session } from "agent-tty";
import type { Clock, Ids } from "agent-tty/kit";
import {
  type ClaimVerification,
  type EvidenceSummary,
  evidenceSummary,
  isEvidence,
  isMatch,
  type PlaceKind,
  type RunRecord,
  verifyClaim,
} from "../../../evidence/index.ts";
import { type IssueRef, redactSecrets } from "../../../github/index.ts";
import type { ReadyWorkspace } from "../../../workspaces/index.ts";
import type { Reproduction } from "../../outcome.ts";
import { verificationSessionName } from "../session-names.ts";
import { noInsight, type ReproductionRun, type Verification } from "../../verification.ts";
import {
  openSession,
  type SessionPorts,
  applyCheckout,
  type CheckoutSource,
  type CheckoutStep,
  planCheckout,
  planCopy,
} from "../session/index.ts";
import { languageAdapters } from "./language-adapters.ts";

/** The checkout's name below the verification's directory. */
const CHECKOUT = "run";

/** The maximum size of the output that is kept of one run: enough to see the failure, little enough for a comment. */
const EXCERPT_MAX_BYTES = 2_000;
/** The length of a private key with its line breaks, in characters. */
const LONGEST_SECRET = 8_000;

/** The commit that the batch checks out, or the version that the report names (V5): each has a directory of its own. */
export type VerifiedVersion = "newest" | "reported";

export interface VerificationRequest {
  reproduction: Reproduction & { script: string };
  source: CheckoutSource;
  /** The runs' checkout is a copy of this one, at another commit; null: a clone of `source`. */
  copyOf: { from: string; commit: string } | null;
  /** The hash of the script as it was read when it was proposed; null if it was not hashed then. */
  scriptHash: string | null;
  runs: number;
  timeoutMs: number;
  /** Title and body of the issue: names that they mention were not invented by the script. */
  issueText: string;
  /** Whether a Triage Agent was where the runs take place. */
  placeKind: PlaceKind;
  /** `<run directory>/verify`, outside the Triage Agent's checkout; the Session's shell is in it. */
  directory: string;
}

export interface VerificationPorts {
  /** The parent's own Session, which the Triage Agent never had. */
  session: Session;
  /** Opens another Session, for runs beside those of the first one; the caller destroys it. */
  openBeside: (signal: AbortSignal) => Promise<Session>;
  workspace: ReadyWorkspace;
  clock: Clock;
  ids: Ids;
  signal: AbortSignal;
  remainingMs: () => number;
}

/** For what follows a verification, which can take minutes. */
export interface InsightPorts extends VerificationPorts {
  /** Shows people what happens now, as one line without a period. */
  tell: (step: string) => void;
}

export interface VerifiedReproduction {
  verification: Verification;
  /** The grade of the runs (V7); null when there were none. */
  evidence: EvidenceSummary | null;
  /** The screen that shows a real run; null: the Session's present screen is the best one. */
  screen: DetailedSnapshot | null;
  /** The commit that the script ran on; null when git does not know it. */
  commit: string | null;
}

/**
 * Verifies the script by the parent's own runs, through the one evidence pipeline (T8, V9). The result is `unproven` for a claim
 * that the control runs show as well, for a script that tampers, and for one that fails because something else is missing: these
 * results say nothing about the bug.
 */
export async function verifyReproduction(
  request: VerificationRequest,
  ports: VerificationPorts,
): Promise<VerifiedReproduction> {
  const { reproduction, directory, placeKind, source, copyOf } = request;
  const { session, workspace } = ports;
  const leave: CheckoutStep = { commandLine: "cd ..", failure: "CHECKOUT_FAILED" };
  const examined = await verifyClaim(
    {
      claim: reproduction,
      runs: request.runs,
      timeoutMs: request.timeoutMs,
      adapters: languageAdapters(),
      openBeside: ports.openBeside,
      issueText: request.issueText,
      scriptHash: request.scriptHash,
      checkout: async (to, name) => {
        const steps =
          copyOf === null
            ? planCheckout(source, name)
            : planCopy({ ...copyOf, setup: source.settings.setup }, name);
        await applyCheckout([...steps, leave], to, ports);
      },
    },
    { kind: placeKind, workspace, directory },
    session,
    ports,
  );
  if (examined.type === "impossible")
    return { verification: examined, evidence: null, screen: null, commit: null };
  const evidence = evidenceSummary(examined.grade);
  const { screen, commit } = examined;
  return { verification: verificationOf(examined, evidence, request), evidence, screen, commit };
}

function verificationOf(
  { verdict, records }: Extract<ClaimVerification, { type: "examined" }>,
  grade: EvidenceSummary,
  { reproduction, directory }: VerificationRequest,
): Verification {
  const runs = records
    .filter(({ kind }) => kind === "real")
    .map((record) => runOf(record, reproduction, directory));
  const matchedRuns = runs.filter((run) => run.matched).length;
  if (verdict.type === "not-reproduced") return { type: "not-reproduced", runs, reproduction, grade };
  const insight = { ...noInsight, grade };
  if (verdict.type === "verified" || verdict.type === "verified-in-part")
    return { type: "reproduced", runs, reproduction, insight };
  if (verdict.type === "flaky" && isEvidence(verdict))
    return { type: "flaky", matchedRuns, runs, reproduction, insight };
  const said = "reason" in verdict ? verdict.reason : "a control run shows the same failure";
  return { type: "unproven", reason: withoutPlace(said, directory), runs, reproduction, grade };
}

function runOf(record: RunRecord, reproduction: Reproduction, directory: string): ReproductionRun {
  const exitCode = record.end.type === "exited" ? record.end.exitCode : null;
  return {
    exitCode,
    timedOut: record.end.type === "timed-out",
    matched: isMatch(reproduction, record),
    durationMs: record.durationMs,
    outputExcerpt: excerpt(withoutPlace(record.output, directory)),
    screenHash: record.screenHash,
  };
}

/**
 * Returns the output without the directory of the place, because the output is published (V8). Paths below the checkout become
 * relative.
 */
function withoutPlace(output: string, directory: string): string {
  return output.replaceAll(`${directory}/${CHECKOUT}/`, "").replaceAll(directory, "…");
}

/** Excludes git attributes outside the configuration, which also change a clean checkout: line ends, encodings, filters. */
const DEAF_GIT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.attributesFile",
  GIT_CONFIG_VALUE_0: "/dev/null",
  GIT_CONFIG_KEY_1: "core.excludesFile",
  GIT_CONFIG_VALUE_1: "/dev/null",
};

/**
 * Opens the parent's own Session for `verifyReproduction`, below the run's directory, without anything of the Triage Agent's
 * environment. Files that the Triage Agent may have left in the home directory do not configure our clones. `repeat` counts the
 * verifications that were lost before; each has a directory of its own.
 */
export async function openVerification(
  ref: IssueRef,
  ports: SessionPorts,
  signal: AbortSignal,
  repeat = 0,
  version: VerifiedVersion = "newest",
): Promise<Session> {
  const directory = verificationDirectory(ports.workspace, repeat, version);
  const request = {
    name: verificationSessionName(ref),
    rcFile: `${directory}/shell.bashrc`,
    directory,
    exports: DEAF_GIT,
    // The runs write to a pipe: an answer to a query in their output would be typed into the shell that started them.
    answersQueries: false,
    files: [],
  };
  return openSession(request, ports, signal);
}

/** Returns an absolute path inside the Coder workspace; everything that the parent's own runs write is below it. */
export function verificationDirectory(
  { directory }: Pick<ReadyWorkspace, "directory">,
  repeat = 0,
  version: VerifiedVersion = "newest",
): string {
  return `${directory}/verify${repeat === 0 ? "" : `-${repeat}`}${version === "newest" ? "" : `-${version}`}`;
}

/**
 * Returns the end of the output. Secrets are removed before the output is cut, because half a token would not be recognised
 * (S18).
 */
function excerpt(output: string): string {
  const bytes = Buffer.from(redactSecrets(output.trim().slice(-(EXCERPT_MAX_BYTES + LONGEST_SECRET))));
  if (bytes.length <= EXCERPT_MAX_BYTES) return bytes.toString();
  return `…${bytes.subarray(bytes.length - EXCERPT_MAX_BYTES).toString()}`;
}
