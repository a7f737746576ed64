import { signal } from "@preact/signals";
import type { RunRowDocument } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import { resultOf } from "./filters.ts";
import { words } from "./format.ts";

/** Returns the announcement of a change: the end of a run, or that one waits for input. */
export function newsOf(before: RunRowDocument | undefined, now: RunRowDocument): string | null {
  const name = `${now.repo} #${now.number}`;
  if (before?.end === null && now.end !== null) return `${name}: ${words(resultOf(now) ?? now.end.status)}`;
  if (now.displayStatus === "needs_input" && before?.displayStatus !== "needs_input")
    return `${name} needs input`;
  return before === undefined ? `${name}: Triage Run started` : null;
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
    this.#clock.schedule(GATHER_MS, () => {
      const told = this.#waiting;
      this.#waiting = [];
      this.text.value = told.length > MOST_AT_ONCE ? `${told.length} Triage Runs changed` : told.join(". ");
    });
  }
}
