import type { TrackedState } from "../../../../src/tui/index.ts";
import type { CaseReport } from "../../case-report.ts";
import type { Fields } from "./expected-fields.ts";

const REASON = "a result stays until the next one (H32); the origin later let a new draft or Turn clear it";

/**
 * The result that the last Turn must have when the cases clear it and our contract keeps it. A success may be retracted because
 * its Turn continues (H34), so it counts as kept only after something was typed or submitted.
 */
export class StickyResult {
  #kept: { result: string; source: string } | null = null;
  #isFollowedByInput = false;

  /** Must be called at every step, in order. */
  watch({ lastTurn, surface, turn }: TrackedState, isSubmit: boolean): void {
    const { result, source } = lastTurn;
    if (result !== "none" && result !== this.#kept?.result) {
      this.#kept = { result, source };
      this.#isFollowedByInput = false;
    }
    const isNextTurn = turn.phase === "active" && this.#kept?.result !== "success";
    this.#isFollowedByInput ||= isSubmit || surface.editingInput === "yes" || isNextTurn;
  }

  /**
   * Returns the report of an asserted check as a documented difference if the kept result is the only difference, and otherwise
   * unchanged.
   */
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
