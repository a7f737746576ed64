import type { Activity } from "./activity.ts";
import { GrowthWindow } from "./growth.ts";
import type { CodexTraits } from "./traits.ts";

/**
 * Versions without a title hide the working row briefly while they insert a line of an answer. If the row returns after every
 * line, a longer time is safe.
 */
const BLINK_MS = 150;
const KEPT_ROW_BLINK_MS = 300;
/** The length of a message's prefix that identifies it, however it is wrapped. */
const MESSAGE_PREFIX_CHARACTERS = 24;

/** The detector's memory of earlier screens: bounded and private to it (H9). */
export class CodexMemory {
  readonly growth = new GrowthWindow();
  /** The number of Turns seen so far; it only increases. */
  turnNumber = 0;
  /** Whether work was seen in the Turn of the present message. */
  hasWorked = false;
  #isActive = false;
  #message: string | null = null;
  #activeMessage: string | null = null;
  #hasSeenStart = false;
  #lastStrong: { atMs: number; activity: Activity } | null = null;

  noteStrong(activity: Activity, atMs: number): void {
    this.#lastStrong = { atMs, activity };
  }

  /** Returns the activity seen a moment ago, while the working row may be hidden briefly. */
  blinking(atMs: number, { keepsWorkingRow }: CodexTraits): Activity | null {
    const last = this.#lastStrong;
    const blinkMs = keepsWorkingRow ? KEPT_ROW_BLINK_MS : BLINK_MS;
    return last !== null && atMs - last.atMs < blinkMs ? last.activity : null;
  }

  /** Returns whether the message of the last working Turn was moved back into the draft. */
  isTakenBack(message: string | null, draft: string): boolean {
    const taken = this.#activeMessage;
    return taken !== null && prefixOf(draft) === taken && (message === null || prefixOf(message) !== taken);
  }

  /** Whether the start of a session was seen, and nothing after it yet. */
  get isBeforeFirstTurn(): boolean {
    return this.#hasSeenStart && this.turnNumber === 0;
  }

  noteStart(): void {
    this.#hasSeenStart = true;
  }

  /** Records a frame. A Turn begins when work follows rest, or with a message not seen before. */
  note(message: string | null, isActive: boolean): void {
    const prefix = message === null ? null : prefixOf(message);
    if (isActive) this.#activeMessage = prefix;
    const isNewMessage = prefix !== null && prefix !== this.#message;
    if (isNewMessage) {
      this.#message = prefix;
      this.hasWorked = false;
    }
    if (isNewMessage || (isActive && !this.#isActive)) this.turnNumber += 1;
    this.#isActive = isActive;
    this.hasWorked ||= isActive;
  }
}

/** Returns the message's identifying prefix, without its mark and without white space. */
function prefixOf(message: string): string {
  return message.replace(/^›|\s/gu, "").slice(0, MESSAGE_PREFIX_CHARACTERS);
}
