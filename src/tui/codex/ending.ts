import type { TurnEnding } from "../signals.ts";
import { type Block, isWorkedFor, sentenceOf } from "./blocks.ts";
import type { LatestTurn } from "./latest-turn.ts";
import type { ProgramState } from "./program-state.ts";
import type { CodexTraits } from "./traits.ts";

/** The end of a Turn without its signature. */
type End =
  | { type: "interrupted" | "success_candidate" | "success_announced" }
  | { type: "known_failure"; error: string };

export interface EndReading {
  end: End | null;
  /** The error shown at the prompt, whether it ended a Turn or not. */
  error: string | null;
  /** The block that shows the end. */
  block: Block | null;
}

export interface EndFacts {
  turn: LatestTurn;
  program: ProgramState;
  traits: CodexTraits;
  hasDraft: boolean;
  /** Whether work was seen since the message began and has ended. */
  hasWorked: boolean;
  /** Whether the message was moved back to the composer. */
  isTakenBack: boolean;
  /** Whether the text above the prompt was printed during the start of the session. */
  isBeforeFirstTurn: boolean;
}

const INTERRUPTED = /^■ Conversation interrupted\b/;
const ERROR = /^[■⚠] /u;
const WARNING = /^⚠ /u;
/** Errors of typed commands or of Codex's own tasks, which end no Turn. */
const NO_TURN =
  /^■ (?:Message exceeds the maximum length|Error running remote compact task|Un(?:recognized|known) command|'\/|Usage: )/;
const FAILURE =
  /ran out of room in the model's context window|overloaded|high demand|at capacity|rate limit|usage limit|quota|stream disconnected|unexpected status|exceeded retry limit/i;

/** Returns the end of the latest Turn, for an idle TUI with its composer on the screen. While the TUI works, no Turn has ended. */
export function readEnd(facts: EndFacts): EndReading {
  const { turn, program, traits } = facts;
  if (traits.interruptsSilently && facts.isTakenBack) return unseen({ type: "interrupted" });
  const last = turn.content.findLast((block) => !isAmbientWarning(block)) ?? null;
  const error = last === null ? null : errorOf(last, turn);
  if (last !== null && INTERRUPTED.test(last.head))
    return { end: { type: "interrupted" }, error: null, block: last };
  // Only errors of later input appear below an end row.
  const worked = turn.content.findLast((block) => isWorkedFor(block));
  if (worked !== undefined && program !== "failed")
    return { end: { type: "success_announced" }, error: error?.text ?? null, block: worked };
  if (error !== null) return { end: failureOf(error), error: error.text, block: last };
  if (program === "failed") return unseen({ type: "known_failure", error: "the program reports an error" });
  return { ...unseen(quietEnd(facts)), block: last };
}

/** Returns whether the last block is an error. */
export function endsWithError(content: readonly Block[]): boolean {
  return content.at(-1)?.head.startsWith("■ ") === true;
}

/**
 * Returns the end with its signature. The signature is unique within one terminal, because it contains the number of Turns seen
 * so far.
 */
export function nameEnding(end: End, turnNumber: number, block: Block | null): TurnEnding {
  const words = block !== null && isWorkedFor(block) ? block.head.trim() : "";
  const kind = end.type === "success_announced" ? "success_candidate" : end.type;
  return { ...end, signature: [kind, turnNumber, words].join(":") };
}

function unseen(end: End | null): EndReading {
  return { end, error: null, block: null };
}

function isAmbientWarning(block: Block): boolean {
  return WARNING.test(block.head) && !FAILURE.test(sentenceOf(block));
}

interface PromptError {
  text: string;
  isTurns: boolean;
}

function errorOf(block: Block, { message }: LatestTurn): PromptError | null {
  if (INTERRUPTED.test(block.head) || !ERROR.test(block.head)) return null;
  const text = sentenceOf(block);
  const isTurns = !NO_TURN.test(block.head) && (message !== null || FAILURE.test(text));
  return { text, isTurns };
}

function failureOf({ text, isTurns }: PromptError): End | null {
  return isTurns ? { type: "known_failure", error: text } : null;
}

/**
 * Returns the end of a Turn that printed no end row. The end is shown by a title or report that came to rest, or by the
 * disappearance of a row that is always shown during work.
 */
function quietEnd({ turn, program, traits, hasDraft, hasWorked, ...facts }: EndFacts): End | null {
  if (program === "done") return { type: "success_announced" };
  if (traits.writesWorkedFor || facts.isBeforeFirstTurn) return null;
  const isFirstScreen = turn.message === null && turn.content.some(({ head }) => head.startsWith("╭"));
  const isAnswered = turn.content.length > 0 && !isFirstScreen;
  if (traits.interruptsSilently && hasWorked && turn.message !== null && !isAnswered)
    return { type: "interrupted" };
  if (!isAnswered && (hasDraft || !hasWorked)) return null;
  const isAnnounced = hasWorked && (program !== null || traits.keepsWorkingRow);
  return { type: isAnnounced ? "success_announced" : "success_candidate" };
}
