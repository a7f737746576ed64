import type { SemanticSnapshot } from "agent-tty";
import { type Dialog, readDialog } from "./choices.ts";
import { type Composer, readComposer } from "./composer.ts";

/** What a screen of Claude Code shows. Seen on 2.1.197 and 2.1.329; no single sign is trusted where two exist. */
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

/** 2.1.197 spins braille in the title, 2.1.329 half circles; both show `✳` otherwise. */
const WORKING_TITLE = /^[\u2801-\u28ff◐◑◒◓] /u;
/** Past messages are followed by an ordinary space, the live prompt by U+00A0. */
const PAST_MESSAGE = /^[❯>] \S/;
const SPINNER = /^[·✢✳✶✻✽*] \S.*…(?: \(.*| *)?$/;
const FOOTER_WORKING = /\besc to (?:interrupt|…)/;
const FAILURE =
  /^(?:●|\s*⎿)\s+((?:API Error|Not logged in|Please run \/login|Invalid API key|Prompt is too long|Credit balance)\b.*)$/;
const LOGIN = /Select login method|Paste code here if prompted|Browser didn.t open\?/;
const THEME = /Choose the text style|choose a theme/i;

export function readClaudeScreen(snapshot: SemanticSnapshot): ClaudeScreen {
  const text = snapshot.visibleLines.join("\n");
  const composer = readComposer(snapshot);
  if (composer !== null) return readComposerScreen(snapshot, composer);
  if (LOGIN.test(text)) return { type: "login" };
  if (THEME.test(text)) return { type: "theme" };
  const dialog = readDialog(snapshot);
  return dialog === null ? { type: "other" } : readDialogScreen(dialog);
}

function readDialogScreen(dialog: Dialog): ClaudeScreen {
  const { choices, heading } = dialog;
  if (choices.labels.some((label) => /\btrust this folder\b/i.test(label)))
    return { type: "trust-dialog", dialog };
  if (/\bDetected a custom API key\b/.test(heading)) return { type: "api-key-dialog", dialog };
  if (/\b(?:Do you want to|Would you like to)\b.*\?/.test(heading))
    return { type: "permission-dialog", dialog };
  return { type: "other-dialog", dialog };
}

function readComposerScreen({ title, visibleLines }: SemanticSnapshot, composer: Composer): ClaudeScreen {
  const above = visibleLines.slice(0, composer.topRow);
  const messageRow = above.findLastIndex((row) => PAST_MESSAGE.test(row));
  const turn = above.slice(messageRow + 1);
  const footer = visibleLines.slice(composer.bottomRow + 1).join("\n");
  const { hasDraft } = composer;
  if (WORKING_TITLE.test(title) || FOOTER_WORKING.test(footer) || endsWithSpinner(turn))
    return { type: "working", hasDraft };
  const failure = turn.map((row) => FAILURE.exec(row)?.[1]).findLast((found) => found !== undefined);
  return { type: "ready", hasDraft, hasMessage: messageRow !== -1, failure: failure ?? null };
}

/** A spinner counts only as the last thing said: below it tips and tasks at most, never an answer or a completion. */
function endsWithSpinner(turn: readonly string[]): boolean {
  const spinner = turn.findLastIndex((row) => SPINNER.test(row));
  return spinner !== -1 && turn.slice(spinner + 1).every((row) => !/^[●✻] /.test(row));
}
