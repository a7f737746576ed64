/** Whether the screen proves a signal. `unknown` means that it proves neither (H8); it is never a guess. */
export type Proof = "yes" | "no" | "unknown";

/** The signals of one screen of a coding TUI: the same fixed set for every tool (H8). */
export interface TuiSignals {
  surface: Surface;
  /** Whether the prompt accepts input (H18–H20). */
  acceptingInput: Proof;
  /** Whether the prompt contains the user's text (H21). */
  editingInput: Proof;
  /** Whether a prompt sent now would begin a Turn (H22–H24). */
  readyPosture: Proof;
  /** Whether a message waits in the TUI's queue behind the present Turn. */
  pendingInput: Proof;
  /** The evidence of work; empty without any. */
  activeReasons: readonly ActiveReason[];
  /** The end of the latest Turn, as the screen shows it; null: the screen shows no end, or there is no Turn. */
  ending: TurnEnding | null;
  /** The error at the prompt, in the TUI's words; null if there is none. */
  currentError: string | null;
  /** The evidence for all of the above, for people. */
  evidence: readonly Evidence[];
}

export type Surface =
  /** The live prompt is on the screen, possibly with other content. */
  | { type: "composer" }
  /** A trust, permission or other question in place of the prompt (H19). */
  | { type: "dialog"; dialog: Dialog }
  /** A menu, picker or other overlay over or instead of the prompt (H24). */
  | { type: "menu" }
  /** The TUI is painted but not usable yet. */
  | { type: "starting" }
  /** The TUI has ended and another program has the terminal. */
  | { type: "departed" }
  | { type: "other" };

/** `other`: a dialog of no known kind, whose choices are not understood. */
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
  /** The labels of the choices without their numbers, in order; empty when the dialog takes free text. */
  choices: readonly string[];
  /**
   * Index into `choices` of the row that Enter would choose (defaults differ between versions); null: none is marked.
   */
  selected: number | null;
}

export type ActiveReason =
  | "spinner_row"
  | "interruptable_footer"
  /** A row such as `• Working (3s • esc to interrupt)`. */
  | "status_row"
  | "title_spinner"
  /** The prompt sign is grey, as it is during a Turn. */
  | "dimmed_prompt"
  | "program_report"
  | "in_flight_tool_cell"
  | "transcript_growth"
  | "open_turn"
  | "queue_hint"
  /** This is not a Turn: the session behind the prompt is starting and keeps input until it is ready. */
  | "session_start"
  /** A message waits for the running Turn, or behind it. */
  | "pending_input"
  | "stream_retry_status"
  /** The Turn waits for another Turn that it started. */
  | "collaboration_cell"
  /** A Turn was interrupted to send the message below. */
  | "steer_handoff";

/**
 * `signature` identifies this end of this Turn: a later screen with the same end has the same signature, and the end
 * of another Turn has another. An old end that is still on the screen after the next submit is therefore not counted
 * for that Turn.
 */
export type TurnEnding =
  | { type: "interrupted"; signature: string }
  | { type: "known_failure"; signature: string; error: string }
  /** Becomes a success when it settles (H33). */
  | { type: "success_candidate"; signature: string }
  /** A success candidate that the TUI itself announces; it settles in a shorter time. */
  | { type: "success_announced"; signature: string };

export interface Evidence {
  /** The signal that the evidence supports. */
  signal: "accepting_input" | "editing_input" | "active" | "ending" | "dialog" | "menu" | "departed";
  /** The row of the screen; null: not on the screen (title, report, growth). */
  row: number | null;
  /** The text on the screen, bounded. */
  text: string;
}
