import type { TrackedState } from "../../../../src/tui/index.ts";
import type { CaseReport } from "../../case-report.ts";
import type { Fields } from "./expected-fields.ts";

const REASON = "a result stays until the next one (H32); the origin later let a new draft or Turn clear it";

/**
 * The result that the last Turn must have where the cases clear it and our contract keeps it. A success may also be
 * taken back because its Turn goes on (H34), so it is kept only once something was typed or submitted after it.
 */
export class StickyResult {
  #kept: { result: string; source: string } | null = null;
  #isFollowedByInput = false;

  /** At every step, in order. */
  watch({ lastTurn, surface, turn }: TrackedState, isSubmit: boolean): void {
    const { result, source } = lastTurn;
    if (result !== "none" && result !== this.#kept?.result) {
      this.#kept = { result, source };
      this.#isFollowedByInput = false;
    }
    const isNextTurn = turn.phase === "active" && this.#kept?.result !== "success";
    this.#isFollowedByInput ||= isSubmit || surface.editingInput === "yes" || isNextTurn;
  }

  /** The report of an asserted check, when all that it differs in is that the result was kept. */
  excuse(report: CaseReport, expected: Fields, seen: Fields): CaseReport {
    const { verdict } = report;
    if (verdict.type !== "differs" || this.#kept === null || !this.#isFollowedByInput) return report;
    const ours: Fields = { "last_turn.result": this.#kept.result, "last_turn.source": this.#kept.source };
    const isCleared = expected["last_turn.result"] === "none";
    const fields = Object.keys(verdict.seen as object);
    if (!isCleared || !fields.every((field) => field in ours && seen[field] === ours[field])) return report;
    return { ...report, verdict: { ...verdict, type: "documented", reason: REASON } };
  }
}
