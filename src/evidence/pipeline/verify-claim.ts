import type { Session } from "agent-tty";
import { type Ids, messageOf } from "agent-tty/kit";
import { isWorkspaceLoss } from "../../workspaces/index.ts";
import { namedAnswers } from "../controls/index.ts";
import { controlsThatShow, decideEvidence, isMatch, missingName, planNextRuns } from "../decide/index.ts";
import type { ControlOutcome, Grade } from "../grade.ts";
import type { Patience } from "../place.ts";
import { CONTROL_KINDS, type ControlKind, type RunRecord } from "../run-record.ts";
import type { Verdict } from "../verdict.ts";
import { shuffled } from "./shuffled.ts";
import { isMentioned } from "./is-mentioned.ts";
import { type PlaceOfRuns, type Run, type StageRequest, VerificationStage } from "./verification-stage.ts";

export interface VerificationRequest extends StageRequest {
  /** Real runs, when nothing says that they differ. */
  readonly runs: number;
  /** Title and body of the issue: what it mentions was not made up by the script. */
  readonly issueText: string;
}

export type ClaimVerification =
  /** The checkout for the runs could not be made: says nothing about the bug. */
  | { type: "impossible"; reason: string }
  | {
      type: "examined";
      verdict: Verdict;
      grade: Grade;
      records: readonly RunRecord[];
      commit: string | null;
    };

/**
 * V9: the one pipeline. Runs the script on the whole product and on the controls, in random order in one Session of the
 * place, as often as it takes, and lets `decideEvidence` judge. Rejects when the connection is lost or the signal aborts.
 */
export async function verifyClaim(
  request: VerificationRequest,
  place: PlaceOfRuns,
  session: Session,
  ports: Patience & { ids: Ids },
): Promise<ClaimVerification> {
  const stage = await VerificationStage.set(session, request, place, ports, ports.ids).catch(
    (error: unknown) => {
      ports.signal.throwIfAborted();
      if (isWorkspaceLoss(error)) throw error;
      return messageOf(error);
    },
  );
  if (typeof stage === "string") return { type: "impossible", reason: stage };
  const missing = await collect(stage, request, ports.ids);
  await stage.close();
  const { claim, issueText } = request;
  const { records } = stage;
  const name = missingName(records.find((run) => run.kind === "real" && isMatch(claim, run))?.output ?? "");
  const isKnown = name !== null && (issueText.includes(name) || (await isMentioned(name, place, ports)));
  const verdict = decideEvidence({ claim, records, missing: name === null ? null : { name, isKnown } });
  const grade = gradeOf(verdict, records, missing, request, place);
  return { type: "examined", verdict, grade, records, commit: stage.checkout.commit };
}

/** Gives back the controls that could not be made. */
async function collect(
  stage: VerificationStage,
  request: VerificationRequest,
  ids: Ids,
): Promise<ReadonlySet<ControlKind>> {
  const missing = new Set<ControlKind>();
  const { product } = stage.checkout;
  if (product.files.length === 0) missing.add("absent");
  if (product.sources.length === 0)
    for (const kind of ["broken", "deaf", "renumbered"] as const) missing.add(kind);
  for (const run of firstRuns(request.runs, ids)) {
    if (run.kind !== "real" && missing.has(run.kind)) continue;
    if (await stage.run(run)) continue;
    if (run.kind === "real" || stage.records.at(-1)?.end.type === "interrupted") return missing;
    missing.add(run.kind);
    // Both need the same adapter.
    if (run.kind === "renumbered") missing.add("deaf");
  }
  await collectMore(stage, request);
  return missing;
}

/** Random, but for one thing: what the product answers when it is renumbered has to be known before it can be deaf. */
function firstRuns(count: number, ids: Ids): Run[] {
  const real = Array.from({ length: count }, (): Run => ({ kind: "real" }));
  // The last one is real: its screen is the picture of the failure.
  const others: Run[] = [
    { kind: "absent" },
    { kind: "broken" },
    { kind: "renumbered" },
    { kind: "deaf", answer: null },
  ];
  const order = [...shuffled<Run>([...real.slice(1), ...others], ids), ...real.slice(0, 1)];
  const deaf = order.findIndex(({ kind }) => kind === "deaf");
  const renumbered = order.findIndex(({ kind }) => kind === "renumbered");
  if (deaf > renumbered) return order;
  return order.map((run, index) => {
    if (index === deaf) return { kind: "renumbered" };
    return index === renumbered ? { kind: "deaf", answer: null } : run;
  });
}

async function collectMore(stage: VerificationStage, { claim }: VerificationRequest): Promise<void> {
  for (
    let next = planNextRuns(claim, stage.records);
    next.type !== "enough";
    next = planNextRuns(claim, stage.records)
  ) {
    if (next.type === "real") {
      if (!(await stage.run({ kind: "real" }))) return;
      continue;
    }
    const named = namedAnswers(claim.script, claim.expect?.outputContains ?? null, stage.heard);
    for (const answer of next.type === "manifest" ? named.slice(-1) : named) {
      if (!(await stage.run({ kind: "deaf", answer }))) return;
      if (!controlsThatShow({ claim, records: stage.records }).includes("deaf")) break;
    }
    await stage.run({ kind: "real" });
    return;
  }
}

function gradeOf(
  verdict: Verdict,
  records: readonly RunRecord[],
  missing: ReadonlySet<ControlKind>,
  { claim }: VerificationRequest,
  { kind: place }: PlaceOfRuns,
): Grade {
  const shown = controlsThatShow({ claim, records });
  const outcomeOf = (kind: ControlKind): ControlOutcome => {
    const runs = records.filter((run) => run.kind === kind);
    if (missing.has(kind) || runs.length === 0) return "missing";
    if (kind === "renumbered") return runs.every((run) => isMatch(claim, run)) ? "passed" : "shows-the-claim";
    return shown.includes(kind) ? "shows-the-claim" : "passed";
  };
  const real = records.filter(({ kind }) => kind === "real");
  return {
    verdict: verdict.type,
    runs: { matched: real.filter((run) => isMatch(claim, run)).length, total: real.length },
    controls: Object.fromEntries(CONTROL_KINDS.map((kind) => [kind, outcomeOf(kind)])) as Grade["controls"],
    range: null,
    test: null,
    place,
  };
}
