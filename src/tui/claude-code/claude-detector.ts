import type { TuiDetector } from "../detector.ts";
import type { Evidence, TuiSignals } from "../signals.ts";
import { SILENT } from "../silent-signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { type ClaudeDetectorOptions, composerSignals } from "./composer-signals.ts";
import { outOfBandSigns, asEvidence } from "./active-evidence.ts";
import { readScreen, type ScreenFacts } from "./screen-facts.ts";
import {
  hasLetGo,
  isBeingRepainted,
  newHistory,
  type TurnHistory,
  watchTerminal,
  watchWork,
} from "./turn-history.ts";
import { readTitle } from "./program-report.ts";

/** Creates the detector of one terminal for a range of versions. */
export function createClaudeDetector(options: ClaudeDetectorOptions): TuiDetector {
  let history = newHistory;
  return {
    detect(screen, atMs) {
      const { signals, history: after } = detectClaude(history, screen, atMs, options);
      const isProven = signals.surface.type !== "other";
      history = isProven ? { ...after, proven: signals } : after;
      return signals;
    },
  };
}

interface Detected {
  signals: TuiSignals;
  history: TurnHistory;
}

function detectClaude(
  before: TurnHistory,
  screen: TuiScreen,
  atMs: number,
  options: ClaudeDetectorOptions,
): Detected {
  const facts = factsOf(before, screen);
  const history = { ...watchTerminal(before, screen, atMs), leftTitle: null };
  if (facts.type === "composer") return composerSignals(history, screen, atMs, facts, options);
  // A title left behind by a TUI that has ended proves nothing.
  if (facts.type === "departed") return departed(history, screen, facts.row);
  const signs = outOfBandSigns(screen);
  if (facts.type === "other" && history.proven !== null && isBeingRepainted(history, atMs))
    return { history, signals: history.proven };
  const signals = {
    ...SILENT,
    ...inPlaceOfComposer(screen, facts, history),
    activeReasons: signs.map(({ reason }) => reason),
  };
  const evidence = [...signals.evidence, ...signs.map(asEvidence)];
  const isSpinning = readTitle(screen.title) === "working";
  return {
    history: signs.length > 0 ? watchWork(history, isSpinning) : history,
    signals: { ...signals, evidence },
  };
}

/** Returns the facts of a screen. A TUI that has ended stays ended until a TUI paints again or the title changes. */
function factsOf(before: TurnHistory, screen: TuiScreen): ScreenFacts {
  const gone: ScreenFacts = { type: "departed", row: screen.cursor?.row ?? 0 };
  if (hasLetGo(before, screen)) return gone;
  const facts = readScreen(screen);
  return facts.type === "other" && before.leftTitle === screen.title ? gone : facts;
}

/**
 * Returns the history after the TUI has ended: the terminal is still known to have had a TUI, but nothing is known of
 * its Turns.
 */
function departed({ hasHiddenCursor, hasTitle }: TurnHistory, screen: TuiScreen, row: number): Detected {
  const evidence = [shown(screen, "departed", row)];
  return {
    history: { ...newHistory, hasHiddenCursor, hasTitle, leftTitle: screen.title },
    signals: { ...SILENT, surface: { type: "departed" }, evidence },
  };
}

type Uncomposed = Exclude<ScreenFacts, { type: "composer" | "departed" }>;

function inPlaceOfComposer(
  screen: TuiScreen,
  facts: Uncomposed,
  history: TurnHistory,
): Partial<TuiSignals> & { evidence: Evidence[] } {
  switch (facts.type) {
    case "question": {
      const { question } = facts;
      const isDialog = question.type === "dialog";
      return {
        surface: isDialog ? { type: "dialog", dialog: question.dialog } : { type: "menu" },
        acceptingInput: "no",
        readyPosture: isDialog ? "no" : "unknown",
        evidence: [shown(screen, isDialog ? "dialog" : "menu", question.row)],
      };
    }
    case "overlay":
      return {
        surface: { type: "menu" },
        acceptingInput: "no",
        evidence: [shown(screen, "menu", facts.row)],
      };
    case "other": {
      const isStarting =
        history.transcript === null && (facts.bannerRow !== null || readTitle(screen.title) !== "none");
      return { surface: { type: isStarting ? "starting" : "other" }, evidence: [] };
    }
    default:
      return facts satisfies never;
  }
}

function shown({ lines }: TuiScreen, signal: Evidence["signal"], row: number): Evidence {
  return { signal, row, text: lines[row] ?? "" };
}
