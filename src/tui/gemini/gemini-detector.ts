import { type TuiDetector, TurnCounter } from "../detector.ts";
import type { ActiveReason, Evidence, TuiSignals, TurnEnding } from "../signals.ts";
import { boundedText, SILENT } from "../silent-signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import {
  findDeparture,
  type GeminiTitle,
  readComposer,
  readDialog,
  readTitle,
  workingRow,
} from "./gemini-screen.ts";

/**
 * A redraw removes rows briefly. While the title stays the same, the earlier signals remain valid for this long, in milliseconds.
 */
const TORN_MS = 600;

/** Reads the screens of Gemini CLI by a few rules, each of which also requires a matching title (H11). */
export class GeminiDetector implements TuiDetector {
  readonly #turns = new TurnCounter();
  /** The title left behind by a killed TUI; null: no TUI is known to have ended. */
  #leftTitle: string | null = null;
  #last: { atMs: number; title: string; signals: TuiSignals } | null = null;

  detect(screen: TuiScreen, atMs: number): TuiSignals {
    const departedRow = findDeparture(screen);
    if (departedRow !== null) this.#leftTitle = screen.title;
    // A killed TUI leaves its title and its rows, and the shell may scroll those off the screen.
    if (this.#leftTitle === screen.title) return departed(screen, departedRow);
    this.#leftTitle = null;
    const signals = this.#read(screen);
    const last = this.#last;
    if (signals !== null) this.#last = { atMs, title: screen.title, signals };
    else if (last !== null && last.title === screen.title && atMs - last.atMs <= TORN_MS) return last.signals;
    return signals ?? SILENT;
  }

  /** Returns the signals of a screen, or null when neither a prompt nor a dialog is complete. */
  #read(screen: TuiScreen): TuiSignals | null {
    // The TUI hides the terminal's cursor while it runs.
    if (screen.cursor?.visible === true) return SILENT;
    const title = readTitle(screen);
    const composer = readComposer(screen);
    if (composer === null) return dialogSignals(screen, title);
    const row = workingRow(screen, composer.row);
    const activeReasons: ActiveReason[] = [];
    if (title === "working") activeReasons.push("title_spinner");
    if (row !== null) activeReasons.push("spinner_row");
    const isActive = activeReasons.length > 0;
    this.#turns.note(isActive);
    const isReady = !isActive && title === "idle";
    const { hasList } = composer;
    return {
      surface: { type: hasList ? "menu" : "composer" },
      acceptingInput: title === "blocked" ? "no" : hasList ? "unknown" : "yes",
      editingInput: composer.isEditing,
      readyPosture: isActive ? "no" : isReady && !hasList ? "yes" : "unknown",
      pendingInput: "unknown",
      activeReasons,
      ending: isReady ? endingOf(screen, composer.row, this.#turns.number) : null,
      currentError: null,
      evidence: evidenceOf(screen, composer.row, row),
    };
  }
}

function departed({ lines }: TuiScreen, row: number | null): TuiSignals {
  const evidence: Evidence[] = row === null ? [] : [{ signal: "departed", row, text: lines[row] ?? "" }];
  return { ...SILENT, surface: { type: "departed" }, evidence: evidence.map(boundedText) };
}

function dialogSignals(screen: TuiScreen, title: GeminiTitle): TuiSignals | null {
  const found = readDialog(screen);
  if (found === null && title !== "blocked") return null;
  const dialog = found?.dialog ?? {
    kind: "other",
    heading: screen.title.trim(),
    choices: [],
    selected: null,
  };
  const text = screen.lines[found?.row ?? -1] ?? screen.title;
  const evidence: Evidence = { signal: "dialog", row: found?.row ?? null, text };
  return {
    ...SILENT,
    surface: { type: "dialog", dialog },
    acceptingInput: "no",
    evidence: [boundedText(evidence)],
  };
}

/** Without colours the sign is in column 0. */
const MESSAGE = /^ ?[>!*] \S/;
/** The rows that end a Turn; other notices (`ℹ`) may follow. */
const END = /^(?:✦ |✕ |ℹ (?:Request cancelled\.|This request failed\.))/u;

/** Returns the end of the latest Turn, or null until a Turn was seen working. */
function endingOf({ lines }: TuiScreen, composerRow: number, turnNumber: number): TurnEnding | null {
  if (turnNumber === 0) return null;
  const messageRow = lines.findLastIndex((line, row) => row < composerRow && MESSAGE.test(line));
  const ends = lines.slice(messageRow + 1, composerRow).filter((line) => END.test(line));
  const last = ends.at(-1) ?? "";
  if (last.startsWith("ℹ Request cancelled."))
    return { type: "interrupted", signature: `interrupted:${turnNumber}` };
  if (last.startsWith("✕ ") || last.startsWith("ℹ ")) {
    const error = (ends.findLast((line) => line.startsWith("✕ ")) ?? last).slice(2);
    return { type: "known_failure", signature: `known_failure:${turnNumber}`, error };
  }
  return { type: "success_announced", signature: `success:${turnNumber}` };
}

function evidenceOf({ lines, title }: TuiScreen, composerRow: number, activeRow: number | null): Evidence[] {
  const evidence: Evidence[] = [
    { signal: "accepting_input", row: composerRow, text: lines[composerRow] ?? "" },
    { signal: "active", row: activeRow, text: activeRow === null ? title : (lines[activeRow] ?? "") },
  ];
  return evidence.map(boundedText);
}
