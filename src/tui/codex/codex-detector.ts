import type { TuiDetector } from "../detector.ts";
import type { Evidence, Proof, Surface, TuiSignals } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { type Activity, activityOf, programSign, steeringSign, strongSigns, weakSigns } from "./activity.ts";
import { type Composer, readComposer } from "./composer.ts";
import { readDeparture } from "./departure.ts";
import { endsWithError, nameEnding, readEnd } from "./ending.ts";
import { type LatestTurn, readLatestTurn } from "./latest-turn.ts";
import { CodexMemory } from "./memory.ts";
import { type Overlay, readOverlay } from "./overlay.ts";
import { type ProgramState, readProgramState } from "./program-state.ts";
import { isBeforeSession } from "./startup.ts";
import { boundedText, SILENT } from "../silent-signals.ts";
import type { CodexTraits } from "./traits.ts";

/**
 * Reads the screens of Codex. When evidence conflicts, this order decides: another program's screen; a question in place of the
 * composer; the program's title and report, which no text can imitate; rows that only work shows; rows that remain after work.
 * Only the latest Turn at the live edge is read, because old output shows old work (H10).
 */
export class CodexDetector implements TuiDetector {
  readonly #traits: CodexTraits;
  readonly #memory = new CodexMemory();

  constructor(traits: CodexTraits) {
    this.#traits = traits;
  }

  detect(screen: TuiScreen, atMs: number): TuiSignals {
    const composer = readComposer(screen, this.#traits.canReadText);
    if (composer !== null && !isOverlaidCapture(screen, composer))
      return this.#withComposer(screen, composer, atMs);
    const departedRow = readDeparture(screen);
    if (departedRow !== null) return this.#departed(screen, departedRow);
    const overlay = readOverlay(screen);
    if (overlay === null) return this.#withoutComposer(screen, atMs);
    return overlaid(screen, overlay, readProgramState(screen, this.#traits.titleTellsRest));
  }

  #withComposer(screen: TuiScreen, composer: Composer, atMs: number): TuiSignals {
    const program = readProgramState(screen, this.#traits.titleTellsRest);
    const turn = readLatestTurn(screen, composer);
    const activity = this.#activity(screen, composer, turn, program, atMs);
    const isActive = activity.reasons.length > 0;
    const surface = surfaceOf(screen, composer, turn, program);
    const isSettled = surface.type === "composer" && !isActive;
    const end = readEnd({
      turn,
      program,
      traits: this.#traits,
      hasDraft: composer.isEditing !== "no",
      hasWorked: this.#memory.hasWorked,
      isBeforeFirstTurn: this.#memory.isBeforeFirstTurn,
      isTakenBack: this.#memory.isTakenBack(turn.message?.head ?? null, composer.text),
    });
    const ending =
      isSettled && end.end !== null ? nameEnding(end.end, this.#memory.turnNumber, end.block) : null;
    return {
      surface,
      acceptingInput: acceptingInputOf(surface, program),
      editingInput: surface.type === "menu" ? "unknown" : composer.isEditing,
      readyPosture: isActive ? "no" : isSettled ? "yes" : "unknown",
      pendingInput: turn.pending.length > 0 ? "yes" : "no",
      activeReasons: activity.reasons,
      ending,
      currentError: isSettled ? end.error : null,
      evidence: [
        promptEvidence(screen, composer, surface),
        ...activity.evidence,
        ...(ending !== null && end.block !== null
          ? [{ signal: "ending" as const, row: end.block.row, text: end.block.head }]
          : []),
      ].map(boundedText),
    };
  }

  #withoutComposer(screen: TuiScreen, atMs: number): TuiSignals {
    const program = readProgramState(screen, this.#traits.titleTellsRest);
    const turn = readLatestTurn(screen, null);
    const { reasons, evidence } = this.#activity(screen, null, turn, program, atMs);
    const pendingInput = turn.pending.length > 0 ? "yes" : turn.status === null ? "unknown" : "no";
    const seen: TuiSignals = { ...SILENT, pendingInput, evidence: evidence.map(boundedText) };
    if (program === "blocked") return { ...seen, surface: blockedSurface(screen), acceptingInput: "no" };
    return { ...seen, activeReasons: reasons, readyPosture: reasons.length > 0 ? "no" : "unknown" };
  }

  #departed(screen: TuiScreen, row: number): TuiSignals {
    this.#memory.growth.clear();
    const evidence: Evidence = { signal: "departed", row, text: screen.lines[row] ?? "" };
    return { ...SILENT, surface: { type: "departed" }, evidence: [boundedText(evidence)] };
  }

  #activity(
    screen: TuiScreen,
    composer: Composer | null,
    turn: LatestTurn,
    program: ProgramState,
    atMs: number,
  ): Activity {
    const strong = strongSigns({ screen, composer, turn, program });
    const blinking = this.#mayBlink(turn, program) ? this.#memory.blinking(atMs, this.#traits) : null;
    const isQuiet = strong.length === 0 && program === null && composer !== null;
    const mayGrow = isQuiet && (blinking === null || !this.#traits.keepsWorkingRow);
    const hasGrown = this.#watchGrowth(mayGrow ? turn : null, atMs);
    const weak = { screen, composer, turn, program, traits: this.#traits, hasGrown };
    const signs = strong.length > 0 ? strong : weakSigns(weak);
    const seen = activityOf(signs.length > 0 ? [...signs, ...steeringSign(turn)] : []);
    if (strong.length > 0) this.#memory.noteStrong(seen, atMs);
    const activity = strong.length > 0 ? seen : (blinking ?? seen);
    const isTurn = activity.reasons.some((reason) => reason !== "session_start");
    if (activity.reasons.includes("session_start")) this.#memory.noteStart();
    this.#memory.note(turn.message?.head ?? null, isTurn);
    return activity;
  }

  #watchGrowth(turn: LatestTurn | null, atMs: number): boolean {
    const { growth } = this.#memory;
    if (turn === null) growth.clear();
    return (
      turn !== null &&
      growth.push(
        turn.content.flatMap(({ rows }) => rows),
        atMs,
      )
    );
  }

  /** Returns whether the working row may be hidden between two of its frames. It is not after an explicit end of the Turn. */
  #mayBlink({ content }: LatestTurn, program: ProgramState): boolean {
    return program === null && !this.#traits.titleTellsRest && !endsWithError(content);
  }
}

/**
 * Returns whether the numbered list at the end of a capture belongs to a dialog. Without a cursor it does; with a cursor in it,
 * it is a draft.
 */
function isOverlaidCapture(screen: TuiScreen, composer: Composer): boolean {
  if (screen.cursor !== null) return false;
  if (composer.isLastMessage) return readOverlay(screen) !== null;
  const { row, footer, text } = composer;
  const isInList = /^ {2}\d+\. /.test(screen.lines[row - 1] ?? "") || text.includes("\n");
  return /^\d+\. \S/.test(text) && (footer.length > 0 || isInList);
}

function surfaceOf(screen: TuiScreen, composer: Composer, turn: LatestTurn, program: ProgramState): Surface {
  if (composer.hasPopup) return { type: "menu" };
  if (isBeforeSession(screen, composer, turn, program)) return { type: "starting" };
  return { type: "composer" };
}

function acceptingInputOf(surface: Surface, program: ProgramState): Proof {
  if (surface.type === "menu" || program === "blocked") return "no";
  return surface.type === "composer" ? "yes" : "unknown";
}

function overlaid(screen: TuiScreen, overlay: Overlay, program: ProgramState): TuiSignals {
  const isMenu = overlay.type === "menu";
  const shown: Evidence = {
    signal: isMenu ? "menu" : "dialog",
    row: overlay.row,
    text: screen.lines[overlay.row] ?? "",
  };
  const behind = activityOf(program === "working" ? [programSign(screen)] : []);
  return {
    ...SILENT,
    surface: isMenu ? { type: "menu" } : { type: "dialog", dialog: overlay.dialog },
    acceptingInput: "no",
    readyPosture: behind.reasons.length > 0 ? "no" : "unknown",
    activeReasons: behind.reasons,
    evidence: [shown, ...behind.evidence].map(boundedText),
  };
}

/** Returns the surface when the program reports that it asks something and the form of the question is unknown. */
function blockedSurface({ title }: TuiScreen): Surface {
  return { type: "dialog", dialog: { kind: "other", heading: title, choices: [], selected: null } };
}

function promptEvidence({ lines }: TuiScreen, { row }: Composer, surface: Surface): Evidence {
  return { signal: surface.type === "menu" ? "menu" : "accepting_input", row, text: lines[row] ?? "" };
}
