import type { TuiDetector } from "../detector.ts";
import type { Evidence, TuiSignals, TurnEnding } from "../signals.ts";
import { boundedText, SILENT } from "../silent-signals.ts";
import { TurnCounter } from "../turn-counter.ts";
import type { TuiScreen } from "../tui-screen.ts";
import {
  isWorkingFooter,
  readComposer,
  readDialog,
  readTurnRow,
  type TurnRowEnd,
} from "./opencode-screen.ts";

/** H11: a few rules. Its title tells nothing, so rest needs a row that says so. */
export class OpencodeDetector implements TuiDetector {
  readonly #turns = new TurnCounter();

  detect(screen: TuiScreen): TuiSignals {
    const composer = readComposer(screen);
    if (composer === null) return dialogSignals(screen);
    const isActive = isWorkingFooter(composer.footer);
    this.#turns.note(isActive);
    const turn = readTurnRow(screen, composer.row);
    const isReady = !isActive && turn?.end !== "open";
    const evidence: Evidence[] = [
      { signal: "accepting_input", row: composer.row, text: screen.lines[composer.row] ?? "" },
      ...(isActive
        ? [{ signal: "active" as const, row: composer.footerRow, text: composer.footer }]
        : turn === null
          ? []
          : [{ signal: "ending" as const, row: turn.row, text: screen.lines[turn.row] ?? "" }]),
    ];
    return {
      surface: { type: "composer" },
      acceptingInput: "yes",
      editingInput: composer.isEditing,
      readyPosture: isActive ? "no" : isReady ? "yes" : "unknown",
      pendingInput: "unknown",
      activeReasons: isActive ? ["interruptable_footer"] : [],
      ending: isReady && turn !== null ? endingOf(turn.end, this.#turns.number) : null,
      currentError: null,
      evidence: evidence.map(boundedText),
    };
  }
}

function dialogSignals(screen: TuiScreen): TuiSignals {
  const found = readDialog(screen);
  if (found === null) return SILENT;
  const evidence: Evidence = { signal: "dialog", row: found.row, text: screen.lines[found.row] ?? "" };
  return {
    ...SILENT,
    surface: { type: "dialog", dialog: found.dialog },
    acceptingInput: "no",
    evidence: [boundedText(evidence)],
  };
}

function endingOf(end: TurnRowEnd, turnNumber: number): TurnEnding | null {
  switch (end) {
    case "interrupted":
      return { type: "interrupted", signature: `interrupted:${turnNumber}` };
    case "timed":
      return { type: "success_announced", signature: `success:${turnNumber}` };
    case "open":
      return null;
    default:
      return end satisfies never;
  }
}
