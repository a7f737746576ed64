import { signal } from "@preact/signals";
import type { RunRowDocument } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import { isWaiting, resultOf } from "../selection/index.ts";
import { label } from "./format.ts";

/** Returns whether a change makes the run wait for input. `before` is undefined for a run that the page has not loaded. */
export function beginsToWait(before: RunRowDocument | undefined, now: RunRowDocument): boolean {
  return isWaiting(now) && (before === undefined || !isWaiting(before));
}

/** The time, in milliseconds, for which a run counts as new. */
const NEW_MS = 60_000;

/**
 * Returns the announcement of a change: the beginning or the end of a run, or that a run waits for input; null: the change is not
 * announced. `before` is undefined for a run that the page has not loaded.
 */
export function newsOf(
  before: RunRowDocument | undefined,
  now: RunRowDocument,
  nowMs: number,
): string | null {
  const name = `${now.repo} #${now.number}`;
  if (before?.end === null && now.end !== null) return `${name}: ${label(resultOf(now) ?? now.end.status)}`;
  if (beginsToWait(before, now)) return `${name} ${label(now.displayStatus)}`;
  const isNew = before === undefined && now.end === null && now.startedAtMs > nowMs - NEW_MS;
  return isNew ? `${name}: Triage Run started` : null;
}

const GATHER_MS = 1_000;
const MOST_AT_ONCE = 3;

/** The page's live region. It announces at most a sentence or two per second. */
export class Announcer {
  readonly text = signal("");
  readonly #clock: PageClock;
  #waiting: string[] = [];

  constructor(clock: PageClock) {
    this.#clock = clock;
  }

  tell(news: string | null): void {
    if (news === null) return;
    if (this.#waiting.push(news) > 1) return;
    // The text is emptied first, because the same sentence a second time would be no change and would not be announced.
    this.text.value = "";
    this.#clock.schedule(GATHER_MS, () => {
      const told = this.#waiting;
      this.#waiting = [];
      this.text.value = told.length > MOST_AT_ONCE ? `${told.length} Triage Runs changed` : told.join(". ");
    });
  }
}
