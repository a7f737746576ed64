import type { SemanticSnapshot } from "agent-tty";
import type { Dialog } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { outOfBandSigns, provenSigns } from "./active-evidence.ts";
import { readScreen, type ScreenFacts } from "./screen-facts.ts";

/** What one screen of Claude Code asks of who drives it. The reading is the detector's, without its memory. */
export type ClaudeScreen =
  | { type: "trust-dialog"; dialog: Dialog }
  /** "Detected a custom API key in your environment". */
  | { type: "api-key-dialog"; dialog: Dialog }
  | { type: "permission-dialog"; dialog: Dialog }
  | { type: "other-dialog"; dialog: Dialog }
  | { type: "login" }
  | { type: "theme" }
  /** `failure` is the error that ended the latest Turn, as the screen words it. */
  | { type: "ready"; hasDraft: boolean; hasMessage: boolean; failure: string | null }
  | { type: "working"; hasDraft: boolean }
  | { type: "other" };

export function readClaudeScreen(snapshot: SemanticSnapshot): ClaudeScreen {
  const screen = textOnly(snapshot);
  const facts = readScreen(screen);
  switch (facts.type) {
    case "composer":
      return readComposerScreen(screen, facts);
    case "question":
      return facts.question.type === "dialog" ? readDialogScreen(facts.question.dialog) : { type: "other" };
    case "overlay":
    case "departed":
    case "other":
      return { type: "other" };
    default:
      return facts satisfies never;
  }
}

/** A Semantic Snapshot has no styles: what they would prove is left to the text, the cursor and the title. */
function textOnly({ cols, rows, visibleLines, cursor, title }: SemanticSnapshot): TuiScreen {
  return { cols, rows, lines: visibleLines, cellsOf: () => [], cursor, title, programReport: null };
}

function readDialogScreen(dialog: Dialog): ClaudeScreen {
  switch (dialog.kind) {
    case "trust":
      return { type: "trust-dialog", dialog };
    case "api-key":
      return { type: "api-key-dialog", dialog };
    case "permission":
      return { type: "permission-dialog", dialog };
    case "login":
      return { type: "login" };
    case "theme":
      return { type: "theme" };
    case "question":
    case "update":
    case "other":
      return { type: "other-dialog", dialog };
    default:
      return dialog.kind satisfies never;
  }
}

type ComposerFacts = Extract<ScreenFacts, { type: "composer" }>;

function readComposerScreen(screen: TuiScreen, { composer, draft, turn }: ComposerFacts): ClaudeScreen {
  const hasDraft = draft.isEditing === "yes";
  const signs = [...outOfBandSigns(screen), ...provenSigns(screen, composer, turn)];
  if (signs.length > 0) return { type: "working", hasDraft };
  const { tail, messageRow } = turn;
  const failure = tail.type === "failed" ? tail.error : null;
  return { type: "ready", hasDraft, hasMessage: messageRow !== null, failure };
}
