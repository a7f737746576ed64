import type { Activity } from "./activity.ts";
import { GrowthWindow } from "./growth.ts";
import type { CodexTraits } from "./traits.ts";

/**
 * Versions without a title take the working row off for a moment while a line of an answer is put in its place. Where it
 * comes back after every line, more time may be given.
 */
const BLINK_MS = 150;
const KEPT_ROW_BLINK_MS = 300;
/** As much of a message as tells it from others, however it is wrapped. */
const MESSAGE_PREFIX_CHARACTERS = 24;

/** What a detector keeps of earlier screens: bounded, and private to it (H9). */
export class CodexMemory {
  readonly growth = new GrowthWindow();
  /** Turns seen so far; only ever grows. */
  turnNumber = 0;
  /** The present message's Turn was seen at work. */
  hasWorked = false;
  #isActive = false;
  #message: string | null = null;
  #activeMessage: string | null = null;
  #hasSeenStart = false;
  #lastStrong: { atMs: number; activity: Activity } | null = null;

  noteStrong(activity: Activity, atMs: number): void {
    this.#lastStrong = { atMs, activity };
  }

  /** What was seen at work a moment ago. */
  blinking(atMs: number, { keepsWorkingRow }: CodexTraits): Activity | null {
    const last = this.#lastStrong;
    const blinkMs = keepsWorkingRow ? KEPT_ROW_BLINK_MS : BLINK_MS;
    return last !== null && atMs - last.atMs < blinkMs ? last.activity : null;
  }

  /** The message of the Turn that was at work last is a draft again, and no message any more. */
  isTakenBack(message: string | null, draft: string): boolean {
    const taken = this.#activeMessage;
    return taken !== null && prefixOf(draft) === taken && (message === null || prefixOf(message) !== taken);
  }

  /** A session was seen to be set up, and nothing after it yet. */
  get isBeforeFirstTurn(): boolean {
    return this.#hasSeenStart && this.turnNumber === 0;
  }

  noteStart(): void {
    this.#hasSeenStart = true;
  }

  /** A Turn begins with work after rest, or with a message not seen before. */
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

/** Without the mark before it. */
function prefixOf(message: string): string {
  return message.replace(/^›|\s/gu, "").slice(0, MESSAGE_PREFIX_CHARACTERS);
}
