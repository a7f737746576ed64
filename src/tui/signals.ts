/** H8: `unknown` is what cannot be proven from the screen; it is never a guess in either direction. */
export type Proof = "yes" | "no" | "unknown";

/** H8: what one screen of a coding TUI shows. The same contract for every tool (H9). */
export interface TuiSignals {
  surface: Surface;
  /** H18–H20 */
  acceptingInput: Proof;
  /** H21 */
  editingInput: Proof;
  /** H22–H24 */
  readyPosture: Proof;
  /** Whether a message waits in the TUI's own queue behind the present Turn. */
  pendingInput: Proof;
  /** Active evidence; empty: none. */
  activeReasons: readonly ActiveReason[];
  /** How the latest Turn on the screen ended; null: it shows no end, or there is no Turn. */
  ending: TurnEnding | null;
  /** The error that stands at the prompt now, in the TUI's words; null: none. */
  currentError: string | null;
  /** What the above rests on, for people. */
  evidence: readonly Evidence[];
}

export type Surface =
  /** The live prompt is on the screen, whatever else is. */
  | { type: "composer" }
  /** A trust, permission or other question in place of the prompt (H19). */
  | { type: "dialog"; dialog: Dialog }
  /** A menu, picker or other overlay over or instead of the prompt (H24). */
  | { type: "menu" }
  /** Painted but not usable yet. */
  | { type: "starting" }
  /** The TUI has left the terminal: what is there now belongs to another program. */
  | { type: "departed" }
  | { type: "other" };

/** `other`: a dialog of no known kind. Nothing is known of what its choices do. */
export const DIALOG_KINDS = [
  "trust",
  "add-directory",
  "api-key",
  "bypass-permissions",
  "permission",
  "plan-exit",
  "question",
  "update",
  "login",
  "theme",
  "other",
] as const;
export type DialogKind = (typeof DIALOG_KINDS)[number];

export interface Dialog {
  kind: DialogKind;
  /** The text above the choices, on one line, bounded. */
  heading: string;
  /** The rows of choice without their numbers, in order; empty when the dialog takes free text. */
  choices: readonly string[];
  /** Index into `choices` of what Enter would take: defaults differ between versions. null: none is marked. */
  selected: number | null;
}

export type ActiveReason =
  | "spinner_row"
  | "interruptable_footer"
  /** `• Working (3s • esc to interrupt)` and its like. */
  | "status_row"
  | "title_spinner"
  /** The prompt sign is greyed, as it is while a Turn runs. */
  | "dimmed_prompt"
  | "program_report"
  | "in_flight_tool_cell"
  | "transcript_growth"
  | "open_turn"
  | "queue_hint"
  /** No Turn: the session behind the prompt is being set up, and keeps what is sent until then. */
  | "session_start"
  /** A message waits for the running Turn, or behind it. */
  | "pending_input"
  | "stream_retry_status"
  /** The Turn waits for one that it started itself. */
  | "collaboration_cell"
  /** A Turn was cut short to send the message that stands below. */
  | "steer_handoff";

/**
 * `signature` names this end of this Turn: the same end on a later screen has the same one, the end of another Turn another
 * one. So a stale end that is still on the screen after the next submit is not taken for that Turn's.
 */
export type TurnEnding =
  | { type: "interrupted"; signature: string }
  | { type: "known_failure"; signature: string; error: string }
  /** H33: becomes a success only when it settles. */
  | { type: "success_candidate"; signature: string }
  /** As the above, where the TUI itself says that the Turn is over: it needs to stand for less long. */
  | { type: "success_announced"; signature: string };

export interface Evidence {
  /** The signal it speaks for. */
  signal: "accepting_input" | "editing_input" | "active" | "ending" | "dialog" | "menu" | "departed";
  /** Row of the screen; null: it is not on the screen (title, report, growth). */
  row: number | null;
  /** As the screen has it, bounded. */
  text: string;
}
