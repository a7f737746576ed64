import type { Evidence, Proof, TuiSignals } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { type ActiveSign, asEvidence, inferredSigns, provenSigns } from "./active-evidence.ts";
import { readReport, readTitle } from "./program-report.ts";
import type { LatestTurn } from "./latest-turn.ts";
import { findQueuedMessages, type QueuedMessages } from "./queued-messages.ts";
import type { ScreenFacts } from "./screen-facts.ts";
import { bareEnding, type BareEnding, type Rest, signed } from "./turn-ending.ts";
import { isGrowing, type TurnHistory, watchEnd, watchTranscript, watchWork } from "./turn-history.ts";

type ComposerFacts = Extract<ScreenFacts, { type: "composer" }>;

/** The differences between ranges of versions. */
export interface ClaudeDetectorOptions {
  /** Whether text in the box can be distinguished from a placeholder; false for versions whose box is not known. */
  knowsDrafts: boolean;
  /** Whether the spinner disappears while a long answer streams. */
  hidesSpinner: boolean;
}

/** Returns the signals of a screen with the live prompt, and the history after it, from the history of earlier screens. */
export function composerSignals(
  before: TurnHistory,
  screen: TuiScreen,
  atMs: number,
  facts: ComposerFacts,
  options: ClaudeDetectorOptions,
): { signals: TuiSignals; history: TurnHistory } {
  const { composer, turn, menuRow } = facts;
  const history = watchTranscript(before, turn, `${screen.cols}x${screen.rows}`, atMs);
  const queued = findQueuedMessages(screen, composer, turn);
  const isStreaming = options.hidesSpinner && isGrowing(history, atMs);
  const signs = activeSigns(history, screen, facts, { queued, isGrowing: isStreaming });
  const isWorking = signs.length > 0;
  const ending = isWorking ? null : bareEnding(turn, restOf(history, screen, facts, options));
  const after = remember(history, screen, turn, { isWorking, ending });
  const isEditing = editingOf(facts, screen, options);
  return {
    history: after,
    signals: {
      surface: { type: menuRow === null ? "composer" : "menu" },
      // When the cursor's position is known and a list takes the keys, it is unknown whether the prompt would take a
      // message.
      acceptingInput: menuRow === null || screen.cursor === null ? "yes" : "unknown",
      editingInput: isEditing,
      readyPosture: postureOf(isWorking, isEditing, menuRow),
      pendingInput: queued.pending,
      activeReasons: signs.map(({ reason }) => reason),
      ending: ending === null ? null : signed(ending, after.end),
      currentError: ending?.type === "known_failure" ? ending.error : null,
      evidence: evidenceOf(screen, facts, { signs, ending, isEditing }),
    },
  };
}

/**
 * Returns the signs of work. One sign of work suffices, but rest needs its own sign. The most reliable sign of rest is the
 * prompt's plain colour: it followed the Turn exactly in every version seen. A title at rest is equally reliable if the title is
 * known to change.
 */
function activeSigns(
  history: TurnHistory,
  screen: TuiScreen,
  { composer, turn }: ComposerFacts,
  inferred: { queued: QueuedMessages; isGrowing: boolean },
): ActiveSign[] {
  const proven = provenSigns(screen, composer, turn);
  if (proven.length > 0) return proven;
  const isReportAtRest = readReport(screen.programReport) === "idle";
  if (composer.prompt === "plain" || isTitleAtRest(history, screen) || isReportAtRest) return [];
  return inferredSigns(screen, turn, inferred);
}

function restOf(
  history: TurnHistory,
  screen: TuiScreen,
  { composer, turn }: ComposerFacts,
  { hidesSpinner }: ClaudeDetectorOptions,
): Rest {
  const isAtRest = isTitleAtRest(history, screen);
  const isSameTurn = history.hasWorkedSince && history.workedMessage === turn.message;
  const isCutShort = isSameTurn && (isAtRest || composer.prompt === "plain");
  // When a spinner that is shown throughout a Turn has disappeared, that is equivalent to a title at rest.
  const isSpinnerGone = !hidesSpinner && history.hasWorked;
  return { hasWorked: history.hasWorked, isAtRest: isAtRest || isSpinnerGone, isCutShort };
}

function isTitleAtRest({ hasSpunTitle }: TurnHistory, { title }: TuiScreen): boolean {
  return hasSpunTitle && readTitle(title) === "idle";
}

function remember(
  history: TurnHistory,
  { title }: TuiScreen,
  { message, messageRow, text }: LatestTurn,
  { isWorking, ending }: { isWorking: boolean; ending: BareEnding | null },
): TurnHistory {
  if (!isWorking) return ending === null ? history : watchEnd(history, ending.type, text);
  const workedMessage = messageRow === null ? null : message;
  return { ...watchWork(history, readTitle(title) === "working"), workedMessage };
}

/**
 * Returns whether a prompt sent now would begin a Turn. During work an empty prompt would queue a message, and a draft blocks it
 * (H23). With a list under the prompt the posture is unknown, never yes (H24).
 */
function postureOf(isWorking: boolean, isEditing: Proof, menuRow: number | null): Proof {
  if (menuRow !== null) return "unknown";
  if (isWorking) return isEditing === "yes" ? "no" : "unknown";
  return "yes";
}

function editingOf(
  { composer, draft }: ComposerFacts,
  { lines }: TuiScreen,
  { knowsDrafts }: ClaudeDetectorOptions,
): Proof {
  const isKnown = knowsDrafts || !(lines[composer.promptRow] ?? "").startsWith("❯");
  return draft.isEditing === "yes" && !isKnown ? "unknown" : draft.isEditing;
}

const EVIDENCE_MAX_CHARS = 2_000;

function evidenceOf(
  { lines }: TuiScreen,
  { composer, draft, menuRow }: ComposerFacts,
  { signs, ending, isEditing }: { signs: readonly ActiveSign[]; ending: BareEnding | null; isEditing: Proof },
): Evidence[] {
  const { promptRow } = composer;
  const evidence: Evidence[] = [{ signal: "accepting_input", row: promptRow, text: lines[promptRow] ?? "" }];
  if (isEditing === "yes")
    evidence.push({ signal: "editing_input", row: promptRow, text: draft.text.slice(0, EVIDENCE_MAX_CHARS) });
  if (menuRow !== null) evidence.push({ signal: "menu", row: menuRow, text: lines[menuRow] ?? "" });
  if (ending !== null) evidence.push({ signal: "ending", row: ending.row, text: lines[ending.row] ?? "" });
  return [...evidence, ...signs.map(asEvidence)];
}
