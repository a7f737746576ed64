import { type TuiDetector, TurnCounter } from "../detector.ts";
import type { Evidence, TuiSignals, TurnEnding } from "../signals.ts";
import { boundedText, SILENT } from "../silent-signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import {
  findDeparture,
  isWorkingFooter,
  type OpencodeComposer,
  readComposer,
  readDialog,
  readErrorBox,
  readTurnRow,
  type TurnRow,
} from "./opencode-screen.ts";

/** The longest time, in milliseconds, that the footer may rest between two steps of a Turn. */
const REST_MS = 1_500;

/**
 * Reads the screens of opencode by a few rules (H11). Its title shows nothing. The footer shows work, and the Turn's row shows
 * its end. If a Turn failed or its permission was refused, its row does not change; then the resting footer shows the end.
 */
export class OpencodeDetector implements TuiDetector {
  readonly #turns = new TurnCounter();
  /** Since when the footer has rested after work; null: it works, or no work was seen. */
  #restSinceMs: number | null = null;
  #isWorking = false;
  #hasLeft = false;

  detect(screen: TuiScreen, atMs: number): TuiSignals {
    const composer = readComposer(screen);
    if (composer === null) return this.#withoutComposer(screen);
    this.#hasLeft = false;
    const isActive = isWorkingFooter(composer.footer);
    this.#turns.note(isActive);
    if (isActive) this.#restSinceMs = null;
    else if (this.#isWorking) this.#restSinceMs = atMs;
    this.#isWorking = isActive;
    const turn = readTurnRow(screen, composer.row);
    const ending = isActive || turn === null ? null : this.#endingOf(screen, composer, turn, atMs);
    const isReady = !isActive && (turn?.end !== "open" || ending !== null);
    return {
      surface: { type: "composer" },
      acceptingInput: "yes",
      editingInput: composer.isEditing,
      readyPosture: isActive ? "no" : isReady ? "yes" : "unknown",
      pendingInput: "unknown",
      activeReasons: isActive ? ["interruptable_footer"] : [],
      ending,
      currentError: ending?.type === "known_failure" ? ending.error : null,
      evidence: evidenceOf(screen, composer, isActive ? null : turn, isActive),
    };
  }

  #endingOf(screen: TuiScreen, composer: OpencodeComposer, turn: TurnRow, atMs: number): TurnEnding | null {
    const { number } = this.#turns;
    switch (turn.end) {
      case "interrupted":
        return { type: "interrupted", signature: `interrupted:${number}` };
      case "timed":
        return { type: "success_announced", signature: `success:${number}` };
      case "open": {
        if (this.#restSinceMs === null) return null;
        const error = readErrorBox(screen, turn.row, composer.row);
        if (error !== null) return { type: "known_failure", signature: `known_failure:${number}`, error };
        const isAtRest = atMs - this.#restSinceMs >= REST_MS;
        return isAtRest ? { type: "interrupted", signature: `interrupted:${number}` } : null;
      }
      default:
        return turn.end satisfies never;
    }
  }

  #withoutComposer(screen: TuiScreen): TuiSignals {
    const found = readDialog(screen);
    if (found !== null) {
      this.#hasLeft = false;
      return {
        ...SILENT,
        surface: { type: "dialog", dialog: found.dialog },
        acceptingInput: "no",
        evidence: [shown(screen, "dialog", found.row)],
      };
    }
    const row = findDeparture(screen);
    // The shell's output may scroll the traces off the screen.
    this.#hasLeft ||= row !== null;
    if (!this.#hasLeft) return SILENT;
    const evidence = row === null ? [] : [shown(screen, "departed", row)];
    return { ...SILENT, surface: { type: "departed" }, evidence };
  }
}

function evidenceOf(
  screen: TuiScreen,
  composer: OpencodeComposer,
  turn: TurnRow | null,
  isActive: boolean,
): Evidence[] {
  const evidence = [shown(screen, "accepting_input", composer.row)];
  if (isActive) evidence.push(shown(screen, "active", composer.footerRow));
  if (turn !== null) evidence.push(shown(screen, "ending", turn.row));
  return evidence;
}

function shown({ lines }: TuiScreen, signal: Evidence["signal"], row: number): Evidence {
  return boundedText({ signal, row, text: lines[row] ?? "" });
}
