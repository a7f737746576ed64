import type { DetailedSnapshot, Session } from "agent-tty";
import { type Ids, messageOf } from "agent-tty/kit";
import { scriptHash } from "../claim.ts";
import { isWorkspaceLoss } from "../../workspaces/index.ts";
import {
  claimedMissing,
  decideEvidence,
  drawsOnChance,
  gradeRuns,
  isBeyondDoubt,
  isMatch,
  missingThing,
} from "../decide/index.ts";
import type { Grade } from "../grade.ts";
import type { Patience } from "../place.ts";
import type { RunRecord } from "../run-record.ts";
import type { Verdict } from "../verdict.ts";
import { collectRuns } from "./collect-runs.ts";
import { DeskFailure } from "./desk-failure.ts";
import { isMentioned, isOfProduct } from "./is-mentioned.ts";
import { outOfTime } from "./time-for-runs.ts";
import { type PlaceOfRuns, type StageRequest, VerificationStage } from "./verification-stage.ts";

export interface VerificationRequest extends Omit<StageRequest, "isDelicate"> {
  /** The number of real runs if there is no sign that they differ. */
  readonly runs: number;
  /** The `scriptHash` of the proposed script; null: no hash was stored with the proposal. */
  readonly scriptHash: string | null;
  /** The issue's title and body. A name that they mention was not invented by the script. */
  readonly issueText: string;
}

export type ClaimVerification =
  /** A checkout for the runs could not be created, or not be read afterwards. This proves nothing about the bug. */
  | { type: "impossible"; reason: string }
  | {
      type: "examined";
      verdict: Verdict;
      grade: Grade;
      records: readonly RunRecord[];
      /** The screen after a real run, which shows the failure. null: no real run ran alone at the first desk. */
      screen: DetailedSnapshot | null;
      commit: string | null;
    };

const NO_TEXT = "the script contains a NUL byte, which no shell passes on";
const OTHER_SCRIPT =
  "the script is not the one that was proposed: what looks like a secret was masked in it, or it was changed since";

/**
 * Returns the verdict on a claim (V9). The script runs on the whole product and on the controls, in random order, as often as
 * necessary and as many at a time as the place allows; `decideEvidence` derives the verdict. The last runs are in `session`.
 * Rejects if the connection is lost or the signal aborts, and with `VERIFICATION_OUT_OF_TIME` if `remainingMs` is too short for all
 * runs.
 */
export async function verifyClaim(
  request: VerificationRequest,
  place: PlaceOfRuns,
  session: Session,
  ports: Patience & { ids: Ids },
): Promise<ClaimVerification> {
  if (request.scriptHash !== null && request.scriptHash !== scriptHash(request.claim.script))
    return { type: "impossible", reason: OTHER_SCRIPT };
  if (request.claim.script.includes("\0")) return { type: "impossible", reason: NO_TEXT };
  const isDelicate = drawsOnChance(request.claim.script);
  const stageRequest = { ...request, isDelicate };
  const stage = await VerificationStage.set(session, stageRequest, place, ports, ports.ids).catch(
    (error: unknown) => {
      ports.signal.throwIfAborted();
      if (isWorkspaceLoss(error)) throw error;
      return messageOf(error);
    },
  );
  if (typeof stage === "string") return { type: "impossible", reason: stage };
  const missing = await collectRuns(stage, request, ports.ids).catch((error: unknown) => {
    ports.signal.throwIfAborted();
    if (error instanceof DeskFailure) return error.message;
    throw error;
  });
  if (typeof missing === "string") return { type: "impossible", reason: missing };
  const { claim, issueText } = request;
  const { records } = stage;
  if (stage.outOfTime !== null && !isBeyondDoubt(claim, records, request.runs))
    throw outOfTime(records.length, stage.outOfTime.longestMs);
  const shown = records.find((run) => run.kind === "real" && isMatch(claim, run));
  const thing = shown === undefined ? null : (claimedMissing(claim, shown) ?? missingThing(shown.output));
  const isKnown =
    thing !== null &&
    (issueText.includes(thing.name) ||
      (await isMentioned(thing.name, place, ports)) ||
      (missing.has("deaf") && (await isOfProduct(thing, stage.checkout.product, place, ports))));
  const verdict = decideEvidence({
    claim,
    records,
    missing: thing === null ? null : { ...thing, isKnown },
    callWithNothing: stage.callWithNothing,
    issueText,
  });
  const grade = gradeRuns(claim, verdict, { records, missing, place: place.kind });
  return { type: "examined", verdict, grade, records, screen: stage.screen, commit: stage.checkout.commit };
}
